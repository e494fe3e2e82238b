//! What a joint's table says about how it may move.

use std::ops::Range as Span;

use glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::{BallLimit, Kind};

use super::{Euler, JointEntry, Swing};

/// A complaint and where it belongs.
type Wrong = (Span<usize>, String);

impl JointEntry {
    /// The joint's kind, changed as the table says; `table` is where complaints about what is missing belong.
    pub(super) fn kind(&self, old: Kind, table: &Span<usize>) -> Result<Kind, Wrong> {
        let word = self.kind.as_ref().map_or(old.name(), |kind| kind.as_ref().as_str());
        let at = self.kind.as_ref().map_or(table.clone(), toml::Spanned::span);
        let moves = matches!(word, "hinge" | "slide");
        refuse_if(!moves, &[("range", self.range.as_ref().map(toml::Spanned::span))], word)?;
        let of_balls = [
            ("swing", self.swing.as_ref().map(toml::Spanned::span)),
            ("across", self.across.as_ref().map(toml::Spanned::span)),
            ("twist", self.twist.as_ref().map(toml::Spanned::span)),
            ("euler", self.euler.as_ref().map(toml::Spanned::span)),
        ];
        refuse_if(word != "ball", &of_balls, word)?;
        refuse_if(!moves && word != "ball", &[("axis", self.axis.as_ref().map(toml::Spanned::span))], word)?;
        match word {
            "fixed" => Ok(Kind::Fixed),
            "free" => Ok(Kind::Free),
            "hinge" | "slide" => self.along_axis(word == "hinge", old, &at),
            "ball" => Ok(Kind::Ball(self.ball(old, &at)?)),
            other => Err((at, format!("'{other}' is no kind of joint; there are fixed, hinge, slide, ball and free"))),
        }
    }

    fn along_axis(&self, hinge: bool, old: Kind, at: &Span<usize>) -> Result<Kind, Wrong> {
        let (old_axis, old_range) = match old {
            Kind::Hinge { axis, range } if hinge => (Some(axis), range),
            Kind::Slide { axis, range } if !hinge => (Some(axis), range),
            _ => (None, Range::FREE),
        };
        let axis = match &self.axis {
            Some(axis) => direction(axis.as_ref(), &axis.span())?,
            None => old_axis
                .ok_or_else(|| (at.clone(), "a hinge or slide needs an axis, such as axis = [1, 0, 0]".to_owned()))?,
        };
        let range = match &self.range {
            Some(range) if hinge => degrees(range.as_ref(), &range.span())?,
            Some(range) => ordered(*range.as_ref(), &range.span())?,
            None => old_range,
        };
        Ok(if hinge { Kind::Hinge { axis, range } } else { Kind::Slide { axis, range } })
    }

    fn ball(&self, old: Kind, at: &Span<usize>) -> Result<BallLimit, Wrong> {
        let old = match old {
            Kind::Ball(limit) => limit,
            _ => BallLimit::Free,
        };
        if let Some(euler) = &self.euler {
            if self.swing.is_some() || self.twist.is_some() {
                return Err((euler.span(), "a ball has either euler ranges or swing and twist".to_owned()));
            }
            return Ok(BallLimit::Euler(ranges(euler.as_ref(), &euler.span())?));
        }
        let says = self.swing.is_some() || self.twist.is_some() || self.axis.is_some() || self.across.is_some();
        if !says {
            // `kind = "ball"` by itself frees a joint that was none, and leaves one that was.
            return Ok(old);
        }
        let (old_axis, old_swing, old_twist, old_across) = match old {
            BallLimit::SwingTwist(limit) => (Some(limit.axis()), Some([even(limit.swing()); 2]), limit.twist(), None),
            BallLimit::EllipticSwing(limit) => {
                (Some(limit.axis()), Some(limit.swing()), limit.twist(), Some(limit.across()))
            }
            _ => (None, None, Range::FREE, None),
        };
        let axis = match &self.axis {
            Some(axis) => direction(axis.as_ref(), &axis.span())?,
            None => old_axis.ok_or_else(|| {
                (at.clone(), "swing and twist need the axis that they are about, such as axis = [0, 1, 0]".to_owned())
            })?,
        };
        let twist = self.twist.as_ref().map_or(Ok(old_twist), |twist| degrees(twist.as_ref(), &twist.span()))?;
        let swing = match self.swing.as_ref().map(|swing| (*swing.as_ref(), swing.span())) {
            Some((Swing::Round(swing), span)) => [even(angle(swing, &span)?); 2],
            Some((Swing::Elliptic([one, two]), span)) => [even(angle(one, &span)?), even(angle(two, &span)?)],
            Some((Swing::Uneven([one, two]), span)) => [degrees(&one, &span)?, degrees(&two, &span)?],
            None => old_swing.unwrap_or([even(std::f64::consts::PI); 2]),
        };
        let across = self.across.as_ref().map(|across| direction(across.as_ref(), &across.span())).transpose()?;
        let no_limit = || {
            let why = "these make no limit; the axis and across must differ, ranges hold something and swings hold 0";
            (at.clone(), why.to_owned())
        };
        if swing == [even(swing[0].max); 2] && across.is_none() {
            return SwingTwist::new(axis, swing[0].max, twist).map(BallLimit::SwingTwist).ok_or_else(no_limit);
        }
        let across = across
            .or(old_across)
            .ok_or_else(|| (at.clone(), "two swings need across, the axis about which the first turns".to_owned()))?;
        EllipticSwing::uneven(axis, across, swing, twist).map(BallLimit::EllipticSwing).ok_or_else(no_limit)
    }

    /// The rotation from which the limit counts, where the table gives one.
    pub(super) fn zero(&self) -> Result<Option<DQuat>, Wrong> {
        let Some(zero) = &self.zero else { return Ok(None) };
        let q = DQuat::from_array(*zero.as_ref());
        let is_some = q.is_finite() && q.length_squared() > 0.0;
        if is_some { Ok(Some(q)) } else { Err((zero.span(), "no rotation; write x, y, z, w, not all zero".to_owned())) }
    }

    /// The axis about which the joint prefers to fold, where the table gives one.
    pub(super) fn bend(&self) -> Result<Option<DVec3>, Wrong> {
        self.bend.as_ref().map(|bend| direction(bend.as_ref(), &bend.span())).transpose()
    }
}

/// Complains of the first word that is said where it must not be.
fn refuse_if(refuse: bool, words: &[(&str, Option<Span<usize>>)], kind: &str) -> Result<(), Wrong> {
    match words.iter().find(|(_, span)| refuse && span.is_some()) {
        Some((word, Some(span))) => Err((
            span.clone(),
            format!("'{word}' means nothing for a joint of kind {kind}; give it another kind, or leave it out"),
        )),
        _ => Ok(()),
    }
}

/// A direction of any length but zero.
pub(super) fn direction(v: &[f64; 3], at: &Span<usize>) -> Result<DVec3, Wrong> {
    let v = DVec3::from_array(*v);
    let is_some = v.is_finite() && v.length_squared() > 0.0;
    if is_some { Ok(v) } else { Err((at.clone(), "no direction; write three numbers, not all zero".to_owned())) }
}

fn ordered([min, max]: [f64; 2], at: &Span<usize>) -> Result<Range, Wrong> {
    let range = Range::new(min, max);
    if range.is_valid() {
        Ok(range)
    } else {
        Err((at.clone(), format!("a range from {min} to {max} holds nothing; write the lower end first")))
    }
}

fn degrees(range: &[f64; 2], at: &Span<usize>) -> Result<Range, Wrong> {
    ordered(*range, at).map(|range| Range::new(range.min.to_radians(), range.max.to_radians()))
}

/// The same to both sides.
fn even(most: f64) -> Range {
    Range::new(-most, most)
}

fn angle(degrees: f64, at: &Span<usize>) -> Result<f64, Wrong> {
    if (0.0..=180.0).contains(&degrees) {
        Ok(degrees.to_radians())
    } else {
        Err((at.clone(), format!("a swing of {degrees} degrees; it must lie from 0 to 180")))
    }
}

fn ranges(euler: &Euler, at: &Span<usize>) -> Result<EulerRanges, Wrong> {
    let order = match euler.order.as_str() {
        "xyz" => EulerOrder::Xyz,
        "xzy" => EulerOrder::Xzy,
        "yxz" => EulerOrder::Yxz,
        "yzx" => EulerOrder::Yzx,
        "zxy" => EulerOrder::Zxy,
        "zyx" => EulerOrder::Zyx,
        other => return Err((at.clone(), format!("'{other}' is no order of axes; write one such as xyz or zyx"))),
    };
    let [x, y, z] = [degrees(&euler.x, at)?, degrees(&euler.y, at)?, degrees(&euler.z, at)?];
    EulerRanges::new(order, x, y, z)
        .ok_or_else(|| (at.clone(), "these ranges hold nothing; write the lower end of each first".to_owned()))
}
