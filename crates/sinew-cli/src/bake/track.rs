//! One goal over time: its keys, what lies between them, and how it comes and goes.
//!
//! Between keys numbers go along cubics whose slopes keep each component between its keys (Fritsch and Butland, "A method
//! for constructing local monotone piecewise cubic interpolants", 1984), so that what is held stays held and nothing
//! overshoots. Quaternions do so component by component and are made unit again.

use sinew::glam::{DQuat, DVec3};

/// A value with up to so many numbers.
const MOST: usize = 4;

/// Numbers at times.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Keys {
    times: Vec<f64>,
    values: Vec<[f64; MOST]>,
    slopes: Vec<[f64; MOST]>,
}

impl Keys {
    /// Keys in the order of time; at least one.
    pub(crate) fn new(times: Vec<f64>, values: Vec<[f64; MOST]>) -> Self {
        let slopes = (0..times.len()).map(|key| std::array::from_fn(|i| slope(&times, &values, key, i))).collect();
        Self { times, values, slopes }
    }

    /// Keys of rotations: every quaternion on the side of the one before.
    pub(crate) fn of_rotations(times: Vec<f64>, rotations: &[DQuat]) -> Self {
        let mut before = DQuat::IDENTITY;
        let near = rotations.iter().map(|&rotation| {
            before = if rotation.dot(before) < 0.0 { -rotation } else { rotation };
            before.to_array()
        });
        let values = near.collect();
        Self::new(times, values)
    }

    pub(crate) fn first(&self) -> f64 {
        self.times.first().copied().unwrap_or(0.0)
    }

    pub(crate) fn last(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// The numbers at a moment; the ends hold.
    pub(crate) fn at(&self, time: f64) -> [f64; MOST] {
        let next = self.times.partition_point(|&key| key <= time);
        let Some(last) = next.checked_sub(1) else { return self.values.first().copied().unwrap_or_default() };
        let (Some(b), Some(until)) = (self.values.get(next), self.times.get(next)) else { return self.values[last] };
        let (a, length) = (self.values[last], until - self.times[last]);
        let t = (time - self.times[last]) / length;
        let (t2, t3) = (t * t, t * t * t);
        std::array::from_fn(|i| {
            let (m, n) = (self.slopes[last][i] * length, self.slopes[next][i] * length);
            let from = (2.0 * t3 - 3.0 * t2 + 1.0) * a[i] + (t3 - 2.0 * t2 + t) * m;
            from + (3.0 * t2 - 2.0 * t3) * b[i] + (t3 - t2) * n
        })
    }

    pub(crate) fn vector_at(&self, time: f64) -> DVec3 {
        let [x, y, z, _] = self.at(time);
        DVec3::new(x, y, z)
    }

    pub(crate) fn number_at(&self, time: f64) -> f64 {
        self.at(time)[0]
    }

    pub(crate) fn rotation_at(&self, time: f64) -> DQuat {
        DQuat::from_array(self.at(time)).normalize()
    }
}

/// A component's slope at a key: none at the ends and where it turns back, else between those of both sides.
fn slope(times: &[f64], values: &[[f64; MOST]], key: usize, i: usize) -> f64 {
    if key == 0 || key + 1 >= times.len() {
        return 0.0;
    }
    let [before, after] = [key - 1, key].map(|from| {
        let length = times[from + 1] - times[from];
        (length, (values[from + 1][i] - values[from][i]) / length)
    });
    if before.1 * after.1 <= 0.0 {
        return 0.0;
    }
    let (w1, w2) = (2.0 * after.0 + before.0, after.0 + 2.0 * before.0);
    (w1 + w2) / (w1 / before.1 + w2 / after.1)
}

/// From when to when a goal holds, and how it comes and goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    /// Wholly from here (seconds).
    pub(crate) from: f64,
    /// To here.
    pub(crate) until: f64,
    /// Seconds before it in which it comes, and after it in which it goes.
    pub(crate) ease: [f64; 2],
    /// Whether these were asked for: then they stay as they are.
    pub(crate) told: bool,
}

impl Span {
    /// The same, so that the frames nearest to its ends lie inside: keys are met in a frame wherever they are.
    pub(crate) fn over(self, frames: &[f64]) -> Self {
        let nearest = |time: f64| {
            let away = |frame: &f64| (frame - time).abs();
            let next = frames.partition_point(|&frame| frame < time);
            let near = frames[next.saturating_sub(1)..frames.len().min(next + 1)].iter().copied();
            near.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(time)
        };
        // What lies beyond the clip has no frame.
        let inside = |time: f64| frames.first().is_some_and(|&first| first <= time) && frames.last() >= Some(&time);
        Self {
            from: if inside(self.from) { self.from.min(nearest(self.from)) } else { self.from },
            until: if inside(self.until) { self.until.max(nearest(self.until)) } else { self.until },
            ..self
        }
    }

    /// When it begins to come, and when it is gone.
    pub(crate) fn eased(&self) -> [f64; 2] {
        [self.from - self.ease[0], self.until + self.ease[1]]
    }

    /// How much of the goal there is, 0 to 1. It begins and ends with the fourth power of time: a straight knee under hips
    /// that it lowers goes off the line by the root of that, which is then still smooth.
    pub(crate) fn share(&self, time: f64) -> f64 {
        let [coming, going] = self.ease;
        let (away, ease) = if time < self.from { (self.from - time, coming) } else { (time - self.until, going) };
        if away <= 0.0 {
            return 1.0;
        }
        if away >= ease {
            return 0.0;
        }
        let x = 1.0 - away / ease;
        x * x * x * x * (35.0 - x * (84.0 - x * (70.0 - 20.0 * x)))
    }
}

/// What a goal asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// The place and rotation that the clip has.
    Keep,
    /// A place.
    Position(Keys),
    /// A place, from where the clip has the joint.
    Offset(Keys),
    /// A place to look at.
    Look(Keys),
    /// Nothing but a rotation.
    Nothing,
}

/// A goal over time, of a joint by the text that names it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track {
    /// Where it stands in the file, for complaints.
    pub(crate) place: String,
    pub(crate) joint: String,
    pub(crate) base: Option<String>,
    pub(crate) wanted: Wanted,
    pub(crate) rotation: Option<Keys>,
    pub(crate) pole: Option<Keys>,
    pub(crate) weight: Option<Keys>,
    pub(crate) axis: Option<DVec3>,
    pub(crate) up: Option<DVec3>,
    pub(crate) span: Span,
}

impl Track {
    /// A joint held where the clip has it, throughout.
    pub(crate) fn keep(place: String, joint: &str) -> Self {
        let span = Span { from: f64::NEG_INFINITY, until: f64::INFINITY, ease: [0.0; 2], told: true };
        Self {
            place,
            joint: joint.to_owned(),
            base: None,
            wanted: Wanted::Keep,
            rotation: None,
            pole: None,
            weight: None,
            axis: None,
            up: None,
            span,
        }
    }

    /// The times of its keys.
    pub(crate) fn key_times(&self) -> impl Iterator<Item = f64> + '_ {
        let wanted = match &self.wanted {
            Wanted::Position(keys) | Wanted::Offset(keys) | Wanted::Look(keys) => Some(keys),
            Wanted::Keep | Wanted::Nothing => self.rotation.as_ref(),
        };
        wanted.into_iter().flat_map(|keys| keys.times.iter().copied())
    }

    /// How much of it there is at a moment.
    pub(crate) fn weight_at(&self, time: f64) -> f64 {
        let share = self.span.share(time);
        let weight = self.weight.as_ref().map_or(1.0, |keys| keys.number_at(time));
        (share * weight).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_met_and_never_passed() {
        let numbers = [0.0, 1.0, 1.0, 3.0, 2.0];
        let times = [0.0, 0.5, 1.5, 1.75, 3.0];
        let keys = Keys::new(times.to_vec(), numbers.map(|x| [x, 0.0, 0.0, 0.0]).to_vec());
        for (time, number) in times.into_iter().zip(numbers) {
            assert_eq!(keys.number_at(time), number);
        }
        for step in 0..=3000u32 {
            let time = f64::from(step) * 1e-3;
            let number = keys.number_at(time);
            let next = times.iter().position(|&key| key > time).unwrap_or(4);
            let (low, high) = (numbers[next - 1].min(numbers[next]), numbers[next - 1].max(numbers[next]));
            assert!((low - 1e-12..=high + 1e-12).contains(&number), "{number} at {time}");
        }
        assert_eq!((keys.number_at(-1.0), keys.number_at(9.0)), (0.0, 2.0));
        // Through keys that go one way it does not stop.
        let way = Keys::new(vec![0.0, 1.0, 2.0], [0.0, 1.0, 2.0].map(|x| [x, 0.0, 0.0, 0.0]).to_vec());
        assert!((way.number_at(1.001) - way.number_at(0.999) - 0.002).abs() < 1e-5);
    }

    #[test]
    fn rotations_go_the_short_way() {
        let rotations = [0.0, 1.0, 2.0].map(DQuat::from_rotation_x);
        let keys = Keys::of_rotations(vec![0.0, 1.0, 2.0], &[rotations[0], -rotations[1], rotations[2]]);
        assert!(keys.rotation_at(1.5).dot(DQuat::from_rotation_x(1.5)).abs() > 0.99);
    }

    #[test]
    fn goals_come_and_go_without_a_jump() {
        let span = Span { from: 1.0, until: 2.0, ease: [0.5, 0.25], told: true };
        assert_eq!(
            [0.5, 0.75, 1.0, 1.7, 2.0, 2.125, 2.25].map(|time| span.share(time)),
            [0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0]
        );
        assert_eq!(span.eased(), [0.5, 2.25]);
        let frames: Vec<f64> = (0..31).map(|frame| f64::from((f64::from(frame) / 30.0) as f32)).collect();
        for key in [0.6, 0.61, 0.62, 1.0 / 30.0, 0.0, 1.0] {
            let one = Span { from: key, until: key, ease: [0.3; 2], told: true }.over(&frames);
            let held = frames.iter().filter(|&&frame| one.share(frame) == 1.0).count();
            assert_eq!(held, 1, "{key}: {one:?}");
        }
        let beyond = Span { from: f64::NEG_INFINITY, until: 7.0, ease: [0.3; 2], told: true };
        assert_eq!(beyond.over(&frames), beyond);
        let still = Span { from: 1.0, until: 2.0, ease: [0.0; 2], told: true };
        assert_eq!([0.999, 1.0, 2.0, 2.001].map(|time| still.share(time)), [0.0, 1.0, 1.0, 0.0]);
    }
}
