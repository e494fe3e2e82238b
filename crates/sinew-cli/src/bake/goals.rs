//! Goals over time from a file. Every complaint names the file, the place and what to write.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Map, Value};
use sinew::Rotation;
use sinew::glam::{DQuat, DVec3, EulerRot};

use super::table;
use super::track::{Keys, Span, Track, Wanted};
use crate::{input, output, text};

/// Seconds in which goals come and go where nothing is said, at least.
pub(super) const EASE: f64 = 0.25;
/// Numbers beyond which no goal is.
const LARGEST: f64 = 1e9;

/// What a key says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Key {
    pub(super) time: f64,
    pub(super) position: Option<DVec3>,
    pub(super) offset: Option<DVec3>,
    pub(super) look: Option<DVec3>,
    pub(super) rotation: Option<DQuat>,
    pub(super) pole: Option<DVec3>,
    pub(super) weight: Option<f64>,
}

/// Reads a file of goals, in the format that its name says.
pub(super) fn read(path: &Path) -> Result<Vec<Track>> {
    let name = text::one_line(&output::title(path));
    let bytes = input::bytes(path, "name a file of goals, as `sinew help bake` shows one")?;
    if output::is_standard(path) {
        let is_json = bytes.trim_ascii_start().starts_with(b"{");
        return if is_json { parse(&bytes) } else { table::parse(&bytes) }.with_context(|| name);
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    let tracks = match extension.as_str() {
        "json" => parse(&bytes),
        "csv" => table::parse(&bytes),
        _ => bail!("{name}: the extension names no format of goals; end it in .json or .csv"),
    };
    let mut tracks = tracks.with_context(|| name.clone())?;
    for track in &mut tracks {
        track.place = format!("{name}: {}", track.place);
    }
    Ok(tracks)
}

fn parse(bytes: &[u8]) -> Result<Vec<Track>> {
    let document: Value = serde_json::from_slice(bytes).map_err(|error| {
        let problem = error.to_string();
        let problem = problem.split(" at line ").next().unwrap_or_default().to_owned();
        anyhow!("line {} column {}: {problem}; write JSON, as `sinew help bake` shows it", error.line(), error.column())
    })?;
    let root = Object::of(&document, String::new(), &["ease", "goals"])?;
    let ease = root.number("ease", 0.0..=LARGEST)?;
    let goals = root.list("goals")?;
    ensure!(!goals.is_empty(), "goals: there is none; write at least one, as `sinew help bake` shows them");
    goals.iter().enumerate().map(|(number, goal)| track(goal, &format!("goals[{number}]"), ease)).collect()
}

fn track(goal: &Value, place: &str, ease: Option<f64>) -> Result<Track> {
    let known = ["joint", "base", "keep", "keys", "axis", "up", "from", "until", "ease"];
    let goal = Object::of(goal, place.to_owned(), &known)?;
    let joint = goal.text("joint")?.ok_or_else(|| anyhow!("{place}: joint is missing; name one"))?;
    let ease = goal.number("ease", 0.0..=LARGEST)?.or(ease);
    let [from, until] = [goal.number("from", -LARGEST..=LARGEST)?, goal.number("until", -LARGEST..=LARGEST)?];
    let keep = goal.switch("keep")?;
    let keys = goal.list("keys")?;
    let mut track = if keep {
        ensure!(keys.is_empty(), "{place}: it both keeps the clip's place and has keys; leave out one of them");
        Track::keep(place.to_owned(), joint)
    } else {
        ensure!(!keys.is_empty(), "{place}: it has no keys; write some, or \"keep\": true");
        let read = |(number, key)| read_key(key, &format!("{place}.keys[{number}]"));
        let keys: Vec<Key> = keys.iter().enumerate().map(read).collect::<Result<_>>()?;
        of_keys(place.to_owned(), joint, &keys)?
    };
    track.base = goal.text("base")?.map(str::to_owned);
    (track.axis, track.up) = (goal.direction("axis")?, goal.direction("up")?);
    if !matches!(track.wanted, Wanted::Look(_)) && (track.axis.is_some() || track.up.is_some()) {
        bail!("{place}: axis and up are for what looks; leave them out, or write \"look\" in its keys");
    }
    let span = track.span;
    track.span = Span {
        from: from.unwrap_or(span.from),
        until: until.unwrap_or(span.until),
        ease: [ease.unwrap_or(EASE); 2],
        told: ease.is_some(),
    };
    ensure!(track.span.from <= track.span.until, "{place}: it ends before it begins; write a later until");
    Ok(track)
}

fn read_key(key: &Value, place: &str) -> Result<Key> {
    let key = Object::of(key, place.to_owned(), &["time", "position", "offset", "look", "rotation", "pole", "weight"])?;
    Ok(Key {
        time: key.number("time", -LARGEST..=LARGEST)?.ok_or_else(|| anyhow!("{place}: time is missing; add it"))?,
        position: key.vector("position")?,
        offset: key.vector("offset")?,
        look: key.vector("look")?,
        rotation: key.rotation("rotation")?,
        pole: key.vector("pole")?,
        weight: key.number("weight", 0.0..=1.0)?,
    })
}

/// The track of a joint's keys: all of them say the same kinds of things, but for weights, which are 1 where left out.
pub(super) fn of_keys(place: String, joint: &str, keys: &[Key]) -> Result<Track> {
    let mut before = f64::NEG_INFINITY;
    for key in keys {
        let time = key.time;
        ensure!(
            time > before,
            "{place}: the key at {time} s is not later than the one before; put keys in the order of time"
        );
        before = time;
    }
    let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
    let all = |what: &str, of: &dyn Fn(&Key) -> Option<[f64; 4]>| -> Result<Option<Keys>> {
        let values: Vec<[f64; 4]> = keys.iter().filter_map(of).collect();
        if !values.is_empty() && values.len() < keys.len() {
            let lacks = keys.iter().find(|key| of(key).is_none()).map_or(0.0, |key| key.time);
            bail!(
                "{place}: the key at {lacks} s has no {what}, which others have; give it to all, or make two goals of them"
            );
        }
        Ok((!values.is_empty()).then(|| Keys::new(times.clone(), values)))
    };
    let vector = |v: DVec3| [v.x, v.y, v.z, 0.0];
    let position = all("position", &|key| key.position.map(vector))?;
    let offset = all("offset", &|key| key.offset.map(vector))?;
    let look = all("look", &|key| key.look.map(vector))?;
    all("rotation", &|key| key.rotation.map(DQuat::to_array))?;
    let rotations: Vec<DQuat> = keys.iter().filter_map(|key| key.rotation).collect();
    let rotation = (!rotations.is_empty()).then(|| Keys::of_rotations(times.clone(), &rotations));
    let pole = all("pole", &|key| key.pole.map(vector))?;
    let weights = keys.iter().any(|key| key.weight.is_some());
    let weight = weights.then(|| keys.iter().map(|key| [key.weight.unwrap_or(1.0), 0.0, 0.0, 0.0]).collect());
    let wanted = match (position, offset, look) {
        (Some(position), None, None) => Wanted::Position(position),
        (None, Some(offset), None) => Wanted::Offset(offset),
        (None, None, Some(look)) if rotation.is_none() => Wanted::Look(look),
        (None, None, None) if rotation.is_some() => Wanted::Nothing,
        (None, None, None) => bail!("{place}: its keys ask for nothing; write position, offset, rotation or look"),
        _ => bail!("{place}: position, offset and look do not go together, nor look and rotation; make several goals"),
    };
    if pole.is_some() && !matches!(wanted, Wanted::Position(_) | Wanted::Offset(_)) {
        bail!("{place}: a pole is for limbs that go to a place; leave it out, or add position");
    }
    let ends = Keys::new(times.clone(), vec![[0.0; 4]; times.len()]);
    let span = Span { from: ends.first(), until: ends.last(), ease: [EASE; 2], told: false };
    let weight = weight.map(|weights| Keys::new(times, weights));
    Ok(Track { wanted, rotation, pole, weight, span, ..Track::keep(place, joint) })
}

/// The rotation that numbers mean: a quaternion, or roll, pitch and yaw in degrees.
pub(super) fn rotation_of(numbers: &[f64]) -> Option<DQuat> {
    match *numbers {
        [x, y, z, w] => Some(Rotation::from(DQuat::from_xyzw(x, y, z, w)).quaternion()).filter(|q| !q.is_nan()),
        [roll, pitch, yaw] => {
            let [roll, pitch, yaw] = [roll, pitch, yaw].map(f64::to_radians);
            Some(DQuat::from_euler(EulerRot::ZYX, yaw, pitch, roll))
        }
        _ => None,
    }
}

/// An object of the file and where it is.
#[derive(Debug)]
struct Object<'a> {
    map: &'a Map<String, Value>,
    place: String,
}

impl<'a> Object<'a> {
    /// The object that a value is, with no other properties than these.
    fn of(value: &'a Value, place: String, known: &[&str]) -> Result<Self> {
        let shown = if place.is_empty() { "the file".to_owned() } else { place.clone() };
        let map = value.as_object().ok_or_else(|| anyhow!("{shown}: is no object; write {{ … }}"))?;
        if let Some(other) = map.keys().find(|key| !known.contains(&key.as_str())) {
            bail!("{shown}: '{}' is unknown; it may have {}", text::short_name(other), known.join(", "));
        }
        Ok(Self { map, place })
    }

    fn at(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>> {
        let read =
            |value: &'a Value| value.as_str().ok_or_else(|| anyhow!("{}: is no text; put it in quotes", self.at(key)));
        self.value(key).map(read).transpose()
    }

    fn switch(&self, key: &str) -> Result<bool> {
        let read = |value: &Value| value.as_bool().ok_or_else(|| anyhow!("{}: write true or false", self.at(key)));
        Ok(self.value(key).map(read).transpose()?.unwrap_or(false))
    }

    fn list(&self, key: &str) -> Result<&'a [Value]> {
        let read =
            |value: &'a Value| value.as_array().ok_or_else(|| anyhow!("{}: is no list; write [ … ]", self.at(key)));
        Ok(self.value(key).map(read).transpose()?.map_or(&[], Vec::as_slice))
    }

    fn number(&self, key: &str, range: std::ops::RangeInclusive<f64>) -> Result<Option<f64>> {
        let read = |value: &Value| {
            let number = value.as_f64().filter(|number| range.contains(number));
            number.ok_or_else(|| {
                anyhow!("{}: write a number from {:?} to {:?}", self.at(key), range.start(), range.end())
            })
        };
        self.value(key).map(read).transpose()
    }

    fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>> {
        let read = |value: &Value| {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let numbers: Option<Vec<f64>> =
                items.iter().map(|item| item.as_f64().filter(|number| number.abs() <= LARGEST)).collect();
            numbers.filter(|numbers| !numbers.is_empty())
        };
        let fail = || anyhow!("{}: is no list of numbers; write it so: [0.3, 1.2, 0.4]", self.at(key));
        self.value(key).map(|value| read(value).ok_or_else(fail)).transpose()
    }

    fn vector(&self, key: &str) -> Result<Option<DVec3>> {
        let Some(numbers) = self.numbers(key)? else { return Ok(None) };
        let [x, y, z] = numbers[..] else {
            bail!("{}: has {}, not 3", self.at(key), text::count(numbers.len(), "number"));
        };
        Ok(Some(DVec3::new(x, y, z)))
    }

    fn direction(&self, key: &str) -> Result<Option<DVec3>> {
        let vector = self.vector(key)?;
        ensure!(
            vector != Some(DVec3::ZERO),
            "{}: a direction of zero length; write one such as [0, 0, 1]",
            self.at(key)
        );
        Ok(vector)
    }

    fn rotation(&self, key: &str) -> Result<Option<DQuat>> {
        let Some(numbers) = self.numbers(key)? else { return Ok(None) };
        let rotation = rotation_of(&numbers);
        let fail = || anyhow!("{}: is no rotation; write x, y, z, w, or roll, pitch, yaw in degrees", self.at(key));
        rotation.map(Some).ok_or_else(fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read() {
        let text = r#"{"ease": 0.5, "goals": [
            {"joint": "hand", "keys": [{"time": 1, "position": [1, 2, 3], "rotation": [0, 0, 0, 2]}, {"time": 2, "position": [1, 2, 4], "rotation": [0, 0, 90], "weight": 0.5}]},
            {"joint": "foot", "keep": true, "from": 1, "ease": 0},
            {"joint": "head", "base": "spine", "axis": [0, 0, 1], "keys": [{"time": 1, "look": [1, 2, 3]}], "until": 3}]}"#;
        let tracks = parse(text.as_bytes()).unwrap();
        let [hand, foot, head] = &tracks[..] else { panic!("{tracks:?}") };
        assert_eq!(hand.span, Span { from: 1.0, until: 2.0, ease: [0.5; 2], told: true });
        assert_eq!((hand.weight_at(1.0), hand.weight_at(2.0), hand.weight_at(0.4)), (1.0, 0.5, 0.0));
        let Wanted::Position(place) = &hand.wanted else { panic!("{hand:?}") };
        assert_eq!(place.vector_at(9.0), DVec3::new(1.0, 2.0, 4.0));
        assert_eq!((foot.wanted.clone(), foot.span.from, foot.span.ease), (Wanted::Keep, 1.0, [0.0; 2]));
        assert_eq!((head.base.as_deref(), head.axis, head.span.until), (Some("spine"), Some(DVec3::Z), 3.0));
    }

    #[test]
    fn what_is_wrong_is_named_by_place() {
        let goal = |rest: &str| format!("{{\"goals\": [{{\"joint\": \"a\", {rest}}}]}}");
        for (text, part) in [
            ("{".to_owned(), "line 1 column 1: EOF"),
            ("[]".to_owned(), "the file: is no object"),
            ("{}".to_owned(), "goals: there is none"),
            (r#"{"goals": [{"keep": true}]}"#.to_owned(), "goals[0]: joint is missing"),
            (goal(r#""key": []"#), "goals[0]: 'key' is unknown; it may have joint, base"),
            (goal(r#""keys": []"#), "goals[0]: it has no keys"),
            (goal(r#""keep": true, "keys": [{"time": 1}]"#), "goals[0]: it both keeps"),
            (goal(r#""keep": true, "from": 2, "until": 1"#), "goals[0]: it ends before it begins"),
            (goal(r#""keys": [{"time": 1}]"#), "goals[0]: its keys ask for nothing"),
            (goal(r#""keys": [{"position": [1, 2, 3]}]"#), "goals[0].keys[0]: time is missing"),
            (goal(r#""keys": [{"time": 1, "position": [1, 2]}]"#), "goals[0].keys[0].position: has 2 numbers, not 3"),
            (
                goal(r#""keys": [{"time": 1, "position": [1, 2, "x"]}]"#),
                "goals[0].keys[0].position: is no list of numbers",
            ),
            (goal(r#""keys": [{"time": 1, "rotation": [0, 0, 0, 0]}]"#), "goals[0].keys[0].rotation: is no rotation"),
            (
                goal(r#""keys": [{"time": 1, "look": [0, 0, 0], "weight": 2}]"#),
                "goals[0].keys[0].weight: write a number",
            ),
            (
                goal(r#""axis": [0, 0, 0], "keys": [{"time": 1, "look": [0, 0, 0]}]"#),
                "goals[0].axis: a direction of zero length",
            ),
            (
                goal(r#""keys": [{"time": 1, "look": [0, 0, 0]}, {"time": 1, "look": [0, 0, 0]}]"#),
                "goals[0]: the key at 1 s",
            ),
            (
                goal(r#""keys": [{"time": 1, "look": [0, 0, 0]}, {"time": 2, "position": [0, 0, 0]}]"#),
                "goals[0]: the key at 1 s has no position",
            ),
        ] {
            let error = format!("{:#}", parse(text.as_bytes()).unwrap_err());
            assert!(error.starts_with(part), "{text}: {error}");
            assert_eq!(error.lines().count(), 1);
        }
    }
}
