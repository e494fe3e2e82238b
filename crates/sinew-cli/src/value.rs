//! Values of options: `JOINT=X,Y,Z` and the like. Names may hold `=`, numbers cannot, so the last one
//! parts them.

use anyhow::{Result, anyhow, bail};
use sinew::glam::{DQuat, DVec3, EulerRot};
use sinew::solve::mass_spring::Root;
use sinew::solve::two_bone::Reach;
use sinew::{Rotation, Slack, Tolerance};

use crate::text;

/// How far `--reach stretch` lengthens bones at most: half as long again still looks like a limb.
const STRETCH_LIMIT: f64 = 1.5;
/// Degrees that `--tolerance M` allows.
const NEAR_DEGREES: f64 = 0.1;
/// Numbers beyond this have no square, so no distance could be told.
const LARGEST: f64 = 1e100;
/// A joint grows by this at most, and shrinks to one part of as many: beyond it nothing is seen of it, or of the rest.
const LARGEST_FACTOR: f64 = 1e3;

/// One use of an option, for messages: `--goal 'hand=1,2'`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use<'a> {
    pub(crate) option: &'static str,
    pub(crate) value: &'a str,
}

impl std::fmt::Display for Use<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} '{}'", self.option, text::short_name(self.value))
    }
}

impl<'a> Use<'a> {
    /// The joint's text and the point after it.
    pub(crate) fn point(self) -> Result<(&'a str, DVec3)> {
        let (joint, numbers) = self.numbers("JOINT=X,Y,Z")?;
        Ok((joint, DVec3::from_array(numbers)))
    }

    /// The joint's text and the direction after it, of any length but zero.
    pub(crate) fn direction(self) -> Result<(&'a str, DVec3)> {
        let (joint, direction) = self.point()?;
        if direction == DVec3::ZERO {
            bail!("{self}: a direction of zero length; write JOINT=X,Y,Z, such as Head=0,0,1");
        }
        Ok((joint, direction))
    }

    /// The joint's text and the angle after it, in radians.
    pub(crate) fn degrees(self) -> Result<(&'a str, f64)> {
        let (joint, [degrees]) = self.numbers("JOINT=DEGREES")?;
        Ok((joint, degrees.to_radians()))
    }

    /// The joint's text and the rotation after it: a quaternion, normalised, or roll, pitch and yaw in degrees, turns
    /// about x, y and z that stand still, one after another.
    pub(crate) fn rotation(self) -> Result<(&'a str, DQuat)> {
        let form = "JOINT=QX,QY,QZ,QW or JOINT=ROLL,PITCH,YAW";
        let angles = self.value.rsplit_once('=').is_some_and(|(_, numbers)| numbers.matches(',').count() == 2);
        if angles {
            let (joint, [roll, pitch, yaw]) = self.numbers(form)?;
            let [roll, pitch, yaw] = [roll, pitch, yaw].map(f64::to_radians);
            return Ok((joint, DQuat::from_euler(EulerRot::ZYX, yaw, pitch, roll)));
        }
        let (joint, numbers) = self.numbers(form)?;
        let rotation = Rotation::from(DQuat::from_array(numbers)).quaternion();
        if rotation.is_nan() {
            bail!("{self}: a quaternion of length 0, or too long; write 0,0,0,1 for no rotation");
        }
        Ok((joint, rotation))
    }

    /// The joint's text and how far it may stay from its target: metres, and degrees after them.
    pub(crate) fn slack(self) -> Result<(&'a str, Slack)> {
        let form = "JOINT=X,Y,Z or JOINT=X,Y,Z,ROLL,PITCH,YAW";
        let alone = self.value.rsplit_once('=').is_some_and(|(_, numbers)| numbers.matches(',').count() == 2);
        let (joint, [x, y, z, a, b, c]) = if alone {
            self.numbers(form).map(|(joint, [x, y, z])| (joint, [x, y, z, 0.0, 0.0, 0.0]))?
        } else {
            self.numbers(form)?
        };
        let rotation = DVec3::new(a.to_radians(), b.to_radians(), c.to_radians());
        let slack = Slack { position: DVec3::new(x, y, z), rotation };
        if !slack.is_valid() {
            bail!("{self}: slack must not be negative; write {form}, such as 0.01,0.01,0");
        }
        Ok((joint, slack))
    }

    /// The joint's text and the weight after it.
    pub(crate) fn weight(self) -> Result<(&'a str, f64)> {
        let (joint, [weight]) = self.numbers("JOINT=W")?;
        if !(0.0..=1.0).contains(&weight) {
            bail!("{self}: a weight is from 0 to 1; write JOINT=W, such as LeftHand=0.5");
        }
        Ok((joint, weight))
    }

    /// The joint's text and the factors after it, one for all axes or one for each.
    pub(crate) fn factors(self) -> Result<(&'a str, DVec3)> {
        let form = "JOINT=X,Y,Z or JOINT=FACTOR";
        let one = self.value.rsplit_once('=').is_some_and(|(_, numbers)| !numbers.contains(','));
        let (joint, factors) = if one {
            self.numbers(form).map(|(joint, [factor])| (joint, DVec3::splat(factor)))?
        } else {
            self.numbers(form).map(|(joint, factors)| (joint, DVec3::from_array(factors)))?
        };
        let sizes = factors.abs();
        if sizes.min_element() < 1.0 / LARGEST_FACTOR || sizes.max_element() > LARGEST_FACTOR {
            bail!("{self}: scale must be 0.001 to 1000; write a factor such as {joint}=1.2");
        }
        Ok((joint, factors))
    }

    /// The joint's text and the radius after it.
    pub(crate) fn radius(self) -> Result<(&'a str, f64)> {
        let (joint, [radius]) = self.numbers("JOINT=RADIUS")?;
        if radius < 0.0 {
            bail!("{self}: a radius must not be negative; write JOINT=RADIUS, such as Head=0.12");
        }
        Ok((joint, radius))
    }

    /// Three numbers that are a part of the value.
    pub(crate) fn vector_of(self, part: &str, form: &str) -> Result<DVec3> {
        self.parts(part, form).map(DVec3::from_array)
    }

    /// The direction or place that is the whole value.
    pub(crate) fn vector(self) -> Result<DVec3> {
        self.parts(self.value, "X,Y,Z").map(DVec3::from_array)
    }

    /// The joint's text and the rotation after it; none where it is to be the rest's.
    pub(crate) fn turn(self) -> Result<(&'a str, Option<DQuat>)> {
        match self.value.rsplit_once('=') {
            Some((joint, "rest")) => Ok((joint, None)),
            _ => self.rotation().map(|(joint, rotation)| (joint, Some(rotation))),
        }
    }

    fn numbers<const N: usize>(self, form: &str) -> Result<(&'a str, [f64; N])> {
        let (joint, numbers) = self.value.rsplit_once('=').ok_or_else(|| anyhow!("{self}: no '='; write {form}"))?;
        Ok((joint, self.parts(numbers, form)?))
    }

    fn parts<const N: usize>(self, numbers: &str, form: &str) -> Result<[f64; N]> {
        let parts: Vec<&str> = numbers.split(',').map(str::trim).collect();
        if parts.len() != N {
            let (needed, found) = (text::count(N, "number"), parts.iter().filter(|part| !part.is_empty()).count());
            let after = if form.contains('=') { " after the '='" } else { "" };
            bail!("{self}: {needed} needed{after}, found {found}; write {form}");
        }
        let mut values = [0.0; N];
        for (value, part) in values.iter_mut().zip(parts) {
            let number = part.parse().ok();
            *value = number.filter(|number: &f64| number.abs() <= LARGEST).ok_or_else(|| {
                let is_nan = number.is_some_and(f64::is_nan);
                let what = if is_nan { "finite number" } else { "number within ±1e100" };
                anyhow!("{self}: '{}' is not a {what}; write {form}, such as 0.25 or -1", text::short_name(part))
            })?;
        }
        Ok(values)
    }

    /// Every way to read `JOINT=JOINT`.
    pub(crate) fn pairs(self) -> Result<Vec<(&'a str, &'a str)>> {
        let splits = self.value.match_indices('=').map(|(at, _)| (&self.value[..at], &self.value[at + 1..]));
        let pairs: Vec<_> = splits.collect();
        if pairs.is_empty() {
            bail!("{self}: no '='; write JOINT=JOINT: the joint of the goal, and the first joint of its limb");
        }
        Ok(pairs)
    }
}

/// `M` or `M,DEGREES`.
pub(crate) fn tolerance(value: &str) -> Result<Tolerance> {
    let parts: Option<Vec<f64>> = value.split(',').map(|part| part.trim().parse().ok()).collect();
    let is_size = |size: &f64| *size >= 0.0 && *size <= LARGEST;
    match parts.filter(|parts| parts.iter().all(is_size)).as_deref() {
        Some(&[position]) => Ok(Tolerance { position, rotation: NEAR_DEGREES.to_radians() }),
        Some(&[position, degrees]) => Ok(Tolerance { position, rotation: degrees.to_radians() }),
        _ => bail!(
            "--tolerance '{}': write metres, and degrees after a comma, such as 0.001,0.1",
            text::short_name(value)
        ),
    }
}

/// `pinned`, `free`, `pulled` or `pulled:3`.
pub(crate) fn root(value: &str) -> Result<Root> {
    let stiffness =
        |number: &str| number.trim().parse().ok().filter(|&stiffness: &f64| stiffness > 0.0 && stiffness.is_finite());
    match (value, value.strip_prefix("pulled:").and_then(stiffness)) {
        ("pinned", _) => Ok(Root::Pinned),
        ("free", _) => Ok(Root::Free),
        ("pulled", _) => Ok(Root::Pulled { stiffness: 1.0 }),
        (_, Some(stiffness)) => Ok(Root::Pulled { stiffness }),
        _ => bail!("--root '{}': unknown; write pinned, pulled, pulled:3 or free", text::short_name(value)),
    }
}

/// `clamp`, `hold`, `stretch`, `stretch:1.2`, `soft`, `soft:2`, or soft and stretch with a comma between.
pub(crate) fn reach(value: &str) -> Result<Reach> {
    let unknown = || {
        let value = text::short_name(value);
        anyhow!("--reach '{value}': unknown; write clamp, hold, stretch, stretch:1.2, soft, soft:2 or soft,stretch")
    };
    // The number after the word's colon, or what goes without saying.
    let number = |part: &str, word: &str, by_default: f64| {
        let rest = part.trim().strip_prefix(word)?;
        let number = if rest.is_empty() { Some(by_default) } else { rest.strip_prefix(':')?.trim().parse().ok() };
        number.filter(|number: &f64| *number >= 1.0 && number.is_finite())
    };
    let ratio = |part: &str| number(part, "soft", Reach::RATIO);
    let limit = |part: &str| number(part, "stretch", STRETCH_LIMIT);
    let reach = match (value, value.split_once(',')) {
        ("clamp", _) => Some(Reach::Clamp),
        ("hold", _) => Some(Reach::Hold),
        (_, Some((soft, stretch))) => {
            ratio(soft).zip(limit(stretch)).map(|(ratio, stretch)| Reach::Soft { ratio, stretch })
        }
        (one, None) => {
            let soft = ratio(one).map(|ratio| Reach::Soft { ratio, stretch: 1.0 });
            soft.or_else(|| limit(one).map(|limit| Reach::Stretch { limit }))
        }
    };
    reach.ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(value: &str) -> Use<'_> {
        Use { option: "--goal", value }
    }

    #[test]
    fn the_last_equals_sign_parts_name_and_numbers() {
        assert_eq!(goal("a=b=-1,2e-3, .5").point().unwrap(), ("a=b", DVec3::new(-1.0, 2e-3, 0.5)));
        assert_eq!(goal("a=b=c").pairs().unwrap(), [("a", "b=c"), ("a=b", "c")]);
    }

    #[test]
    fn what_is_wrong_is_named_with_what_to_write() {
        for (value, part) in [
            ("hand", "no '='; write JOINT=X,Y,Z"),
            ("hand=1,2", "3 numbers needed after the '=', found 2"),
            ("hand=1,2,3,4", "found 4"),
            ("hand=1,,3", "'' is not a number"),
            ("hand=1,nan,3", "'nan' is not a finite number"),
            ("hand=1,1e308,3", "'1e308' is not a number within"),
            ("hand=1,1e999,3", "'1e999' is not a number within"),
        ] {
            let message = goal(value).point().unwrap_err().to_string();
            assert!(message.contains(part) && message.starts_with("--goal '"), "{message}");
        }
        assert!(goal("hand=0,0,0,0").rotation().is_err());
        assert!(goal("hand=1.5").weight().is_err());
        assert!(goal("hand").pairs().is_err());
    }

    #[test]
    fn reaches() {
        assert_eq!(reach("stretch:1.2").unwrap(), Reach::Stretch { limit: 1.2 });
        assert_eq!(reach("soft").unwrap(), Reach::SOFT);
        assert_eq!(reach("soft:2").unwrap(), Reach::Soft { ratio: 2.0, stretch: 1.0 });
        assert_eq!(reach("soft,stretch:1.1").unwrap(), Reach::Soft { ratio: 3.0, stretch: 1.1 });
        assert_eq!(reach("soft:2, stretch").unwrap(), Reach::Soft { ratio: 2.0, stretch: STRETCH_LIMIT });
        for bad in ["", "Clamp", "stretch:", "stretch:0.5", "stretch:inf", "soft:0.9", "soft:", "softer", "clamp,soft"]
        {
            assert!(reach(bad).is_err(), "{bad}");
        }
    }
}
