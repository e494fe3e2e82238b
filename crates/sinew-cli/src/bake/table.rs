//! Goals over time from a table: a line a key.

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use csv::StringRecord;
use sinew::glam::DVec3;

use super::goals::{self, Key};
use super::track::{Span, Track};
use crate::rows::Rows;
use crate::text;

const COLUMNS: [&str; 8] = ["joint", "time", "goal", "x", "y", "z", "w", "weight"];
const NEEDED: usize = 6;
const KINDS: &str = "position, offset, rotation, look or keep";

/// The keys of one goal so far.
#[derive(Debug)]
struct Gathered {
    joint: String,
    kind: Kind,
    /// The line of its first key.
    line: usize,
    keys: Vec<Key>,
    times: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Position,
    Offset,
    Rotation,
    Look,
    Keep,
}

/// The tracks of a table's text; errors begin with the line.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Track>> {
    let mut rows = Rows::of(bytes);
    let Some((line, head)) = rows.next()? else {
        bail!("it is empty; begin with a line of names, joint,time,goal,x,y,z")
    };
    let names: Vec<String> = head.iter().map(str::to_lowercase).collect();
    let at = columns(&names).with_context(|| format!("line {line}"))?;
    let mut goals: Vec<Gathered> = Vec::new();
    while let Some((line, row)) = rows.next()? {
        gather(&mut goals, line, &row, names.len(), at).with_context(|| format!("line {line}"))?;
    }
    ensure!(!goals.is_empty(), "it holds no goal; write a line for each key below the names");
    merge_frames(&mut goals);
    goals.iter().map(Gathered::track).collect()
}

/// Where each known column is.
fn columns(names: &[String]) -> Result<[Option<usize>; 8]> {
    if let Some(other) = names.iter().find(|name| !COLUMNS.contains(&name.as_str())) {
        bail!("column '{}' is unknown; columns are {}", text::short_name(other), COLUMNS.join(","));
    }
    let at = COLUMNS.map(|name| names.iter().position(|other| other == name));
    match COLUMNS.iter().zip(at).take(NEEDED).find(|(_, at)| at.is_none()) {
        Some((name, _)) => bail!("column '{name}' is missing; columns are {}", COLUMNS.join(",")),
        None => Ok(at),
    }
}

fn gather(
    goals: &mut Vec<Gathered>,
    line: usize,
    row: &StringRecord,
    wanted: usize,
    at: [Option<usize>; 8],
) -> Result<()> {
    ensure!(row.len() == wanted, "{} for {wanted} columns; write one for each", text::count(row.len(), "value"));
    let [joint, time, goal, x, y, z, w, weight] = at.map(|at| at.and_then(|at| row.get(at)).unwrap_or_default());
    ensure!(!joint.is_empty(), "column 'joint': it is empty; name a joint");
    let number = |name: &str, text: &str| -> Result<Option<f64>> {
        if text.is_empty() {
            return Ok(None);
        }
        let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.abs() <= 1e9);
        let fail = || anyhow!("column '{name}': '{}' is not a number; write one such as 0.25", text::short_name(text));
        Ok(Some(number.ok_or_else(fail)?))
    };
    let time = number("time", time)?;
    let numbers = [("x", x), ("y", y), ("z", z)].map(|(name, text)| number(name, text).map(|one| (name, one)));
    let kind = match goal.to_lowercase().as_str() {
        "position" => Kind::Position,
        "offset" => Kind::Offset,
        "rotation" => Kind::Rotation,
        "look" => Kind::Look,
        "keep" => Kind::Keep,
        other => bail!("column 'goal': '{}' is unknown; write {KINDS}", text::short_name(other)),
    };
    let mut key = Key { time: time.unwrap_or(0.0), weight: number("weight", weight)?, ..Key::default() };
    if let Some(weight) = key.weight.filter(|weight| !(0.0..=1.0).contains(weight)) {
        bail!("column 'weight': {weight} is no weight; write a number from 0 to 1");
    }
    if kind != Kind::Keep {
        ensure!(time.is_some(), "column 'time': it is empty; write the key's time in seconds");
        let mut values = Vec::new();
        for one in numbers {
            let (name, value) = one?;
            values.push(value.ok_or_else(|| anyhow!("column '{name}': it is empty; write a number"))?);
        }
        let [x, y, z] = values[..] else { bail!("three numbers are needed") };
        let place = Some(DVec3::new(x, y, z));
        match kind {
            Kind::Position => key.position = place,
            Kind::Offset => key.offset = place,
            Kind::Look => key.look = place,
            _ => {
                values.extend(number("w", w)?);
                let fail = || anyhow!("columns x,y,z,w: no rotation; write a quaternion, or degrees with w empty");
                key.rotation = Some(goals::rotation_of(&values).ok_or_else(fail)?);
            }
        }
    }
    let place = goals.iter().position(|goal| goal.joint == joint && goal.kind == kind).unwrap_or_else(|| {
        let (keys, times) = (Vec::new(), Vec::new());
        goals.push(Gathered { joint: joint.to_owned(), kind, line, keys, times });
        goals.len() - 1
    });
    goals[place].keys.push(key);
    goals[place].times.extend(time);
    Ok(())
}

/// Makes one goal of a place and a rotation of one joint at the same times.
fn merge_frames(goals: &mut Vec<Gathered>) {
    let turns: Vec<usize> = (0..goals.len()).filter(|&at| goals[at].kind == Kind::Rotation).collect();
    for turn in turns.into_iter().rev() {
        let places = |goal: &Gathered| matches!(goal.kind, Kind::Position | Kind::Offset);
        let fits = |goal: &Gathered| places(goal) && goal.joint == goals[turn].joint && goal.times == goals[turn].times;
        if let Some(place) = goals.iter().position(fits) {
            let rotations: Vec<_> = goals[turn].keys.iter().map(|key| key.rotation).collect();
            for (key, rotation) in goals[place].keys.iter_mut().zip(rotations) {
                key.rotation = rotation;
            }
            goals.remove(turn);
        }
    }
}

impl Gathered {
    fn track(&self) -> Result<Track> {
        let place = format!("line {}", self.line);
        if self.kind != Kind::Keep {
            return goals::of_keys(place, &self.joint, &self.keys);
        }
        let mut track = Track::keep(place.clone(), &self.joint);
        match self.times[..] {
            [] => {}
            [from, until] if from <= until => {
                track.span = Span { from, until, ease: [goals::EASE; 2], told: false };
            }
            _ => bail!("{place}: keep has a line without a time, or one for its beginning and one for its end"),
        }
        Ok(track)
    }
}

#[cfg(test)]
mod tests {
    use super::super::track::Wanted;
    use super::*;

    #[test]
    fn lines_become_goals() {
        let text = "joint,time,goal,x,y,z,w,weight\nhand,0,position,1,2,3,,\nhand,1,position,1,2,4,,0.5\n\
            hand,0,rotation,0,0,90,,\nhand,1,rotation,0,0,0,1,\nfoot,,keep,,,,,\ntoe,1,keep,,,,,\ntoe,2,keep,,,,,\nhead,1,look,0,0,1,,\n";
        let tracks = parse(text.as_bytes()).unwrap();
        let [hand, foot, toe, head] = &tracks[..] else { panic!("{tracks:?}") };
        assert!(matches!(hand.wanted, Wanted::Position(_)) && hand.rotation.is_some());
        assert_eq!((hand.weight_at(1.0), hand.span.until), (0.5, 1.0));
        assert_eq!((foot.weight_at(1e6), toe.weight_at(1.5), toe.weight_at(0.5)), (1.0, 1.0, 0.0));
        assert!(matches!(head.wanted, Wanted::Look(_)));
    }

    #[test]
    fn complaints_name_their_line() {
        for (text, part) in [
            ("", "it is empty"),
            ("joint,time,goal,x,y\n", "line 1: column 'z' is missing"),
            ("joint,time,goal,x,y,z,q\n", "line 1: column 'q' is unknown"),
            ("joint,time,goal,x,y,z\n", "it holds no goal"),
            ("joint,time,goal,x,y,z\nhand,1,position,1,2\n", "line 2: 5 values for 6 columns"),
            ("joint,time,goal,x,y,z\nhand,1,place,1,2,3\n", "line 2: column 'goal': 'place' is unknown"),
            ("joint,time,goal,x,y,z\nhand,,look,1,2,3\n", "line 2: column 'time': it is empty"),
            ("joint,time,goal,x,y,z\nhand,1,look,1,two,3\n", "line 2: column 'y': 'two' is not a number"),
            ("joint,time,goal,x,y,z\nhand,1,look,1,,3\n", "line 2: column 'y': it is empty"),
            ("joint,time,goal,x,y,z\nhand,1,look,1,2,3\nhand,1,look,1,2,3\n", "line 2: the key at 1 s"),
            ("joint,time,goal,x,y,z\nfoot,1,keep,,,\n", "line 2: keep has a line"),
        ] {
            let error = format!("{:#}", parse(text.as_bytes()).unwrap_err());
            assert!(error.starts_with(part), "{text:?}: {error}");
        }
    }
}
