//! What baking tells: a table for people, an object for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::Baking;
use super::goals::EASE;
use super::measure::{ABOUT, Changed, Pop};
use super::part::Part;
use super::track::Wanted;
use crate::text;

/// How a part went in the frames in which it holds wholly.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) frames: usize,
    pub(super) reached: usize,
    /// Metres.
    pub(super) place: f64,
    /// Radians.
    pub(super) turn: f64,
    /// When either was worst, and in which frame.
    pub(super) worst: Option<(f64, usize)>,
}

impl Tally {
    pub(super) fn of(baking: &Baking<'_>, number: usize, part: &Part) -> Self {
        let mut tally = Self::default();
        let mut most = -1.0;
        for (frame, shot) in baking.shots.iter().enumerate().filter(|(_, shot)| shot.weights[number] >= 1.0) {
            let (place, turn) = shot.error(part);
            tally.frames += 1;
            tally.reached += usize::from(shot.is_reached(part));
            (tally.place, tally.turn) = (tally.place.max(place), tally.turn.max(turn));
            if place + turn > most {
                (most, tally.worst) = (place + turn, Some((baking.after.times()[frame], frame)));
            }
        }
        tally
    }
}

fn solver(baking: &Baking<'_>, part: &Part) -> &'static str {
    baking.plan.asked[part.goals.clone()].first().map_or("carried", |one| one.served.name())
}

/// The table.
pub(super) fn table(baking: &Baking<'_>) -> String {
    let (rig, source) = (baking.rig, baking.source);
    let mut page = format!(
        "{}: '{}', {} from {} s to {} s at {} a second\n",
        text::one_line(&rig.title),
        text::short_name(&source.name),
        text::count(baking.after.len(), "frame"),
        text::decimals(baking.after.start(), 3),
        text::decimals(baking.after.end(), 3),
        text::decimals(source.rate, 2),
    );
    if baking.plan.parts.is_empty() {
        return page + "no goals: the clip as it is\n";
    }
    let mut rows = vec![["goal", "solver", "reached", "worst position", "worst rotation", "at"].map(str::to_owned)];
    for (number, part) in baking.plan.parts.iter().enumerate() {
        let tally = Tally::of(baking, number, part);
        let worst = tally.worst.filter(|_| tally.reached < tally.frames);
        rows.push([
            rig.label(part.joint),
            solver(baking, part).to_owned(),
            format!("{} of {}", tally.reached, tally.frames),
            rig.length(tally.place),
            text::angle(tally.turn),
            worst.map_or(String::new(), |(time, _)| format!("{} s", text::decimals(time, 3))),
        ]);
    }
    page += &text::columns(&rows);
    if baking.changed.is_empty() {
        page += "nothing changed: the clip meets all goals as it is\n";
        if baking.plan.parts.iter().all(|part| matches!(part.track.wanted, Wanted::Keep)) {
            page += "to keep a joint is to leave it where the clip has it; `sinew plant` stops feet that slide\n";
        }
        return page;
    }
    let mut rows = vec![["changed", "speed", "", "acceleration", "", "jerk", ""].map(str::to_owned)];
    for Changed { joint, before, after } in baking.foremost() {
        let [v, a, j] = before.map(short);
        let [w, b, k] = after.map(short);
        rows.push([rig.label(joint), v, format!("to {w}"), a, format!("to {b}"), j, format!("to {k}")]);
    }
    page += &text::columns(&rows);
    let hidden = baking.changed.len() - baking.foremost().len();
    if hidden > 0 {
        let _ = writeln!(page, "  and {} below them or less far; --json has all", text::count(hidden, "joint"));
    }
    for part in baking.plan.parts.iter().filter(|part| part.track.span.ease.iter().any(|ease| *ease > EASE)) {
        let (span, joint) = (part.track.span, rig.label(part.joint));
        if !span.told {
            let [coming, going] = span.ease.map(|ease| text::decimals(ease, 2));
            let _ = writeln!(
                page,
                "  '{joint}' eases in over {coming} s and out over {going} s, so that it is not too fast; \"ease\" sets it"
            );
        }
    }
    let unit = rig.unit().name();
    let _ = writeln!(page, "  largest of each joint's position, clip to baked, in {unit}/s, {unit}/s² and {unit}/s³");
    for one in &baking.gave_way {
        let joint = rig.label(baking.plan.parts[one.part].joint);
        let [from, until] = [one.from, one.until].map(|time| text::decimals(time, 2));
        let way = rig.length(one.distance);
        let _ = if one.distance > 0.0 {
            writeln!(
                page,
                "  '{joint}' gives way between {from} s and {until} s, by {way} at most, so that no joint pops; --exact holds it"
            )
        } else {
            writeln!(
                page,
                "  the limb of '{joint}' bends more evenly between {from} s and {until} s, so that no joint pops"
            )
        };
    }
    page + &warnings(baking)
}

/// The pops, with what hangs on a joint and pops with it as a number.
fn warnings(baking: &Baking<'_>) -> String {
    let skeleton = baking.rig.skeleton();
    let carries = |above: &Pop, pop: &Pop| {
        above.joint != pop.joint && skeleton.is_below(pop.joint, above.joint) && (above.time - pop.time).abs() <= ABOUT
    };
    let mut page = String::new();
    for pop in baking.pops.iter().filter(|pop| !baking.pops.iter().any(|above| carries(above, pop))) {
        let (joint, time) = (baking.rig.label(pop.joint), text::decimals(pop.time, 3));
        let with = match baking.pops.iter().filter(|below| carries(pop, below)).count() {
            0 => String::new(),
            count => format!(", with {} below it", text::count(count, "joint")),
        };
        let _ = writeln!(
            page,
            "warning: '{joint}' pops at {time} s{with}: {:.1} times the acceleration of clip and goals; {}",
            pop.ratio,
            remedy(pop)
        );
    }
    page
}

/// What to do about a pop.
fn remedy(pop: &Pop) -> &'static str {
    if pop.missed {
        "there its goal is out of reach or comes back into it: bring it nearer, or write --reach soft"
    } else {
        "give its goal a longer ease, or a place where its limb is less straight"
    }
}

/// Three digits.
fn short(number: f64) -> String {
    let digits = if number >= 100.0 { 0 } else { (number < 10.0).into() };
    text::decimals(number, digits + usize::from(number < 100.0))
}

/// The object.
#[derive(Serialize)]
pub(super) struct Baked {
    clip: String,
    frames: usize,
    rate: f64,
    start: f64,
    end: f64,
    goals: Vec<GoalObject>,
    joints: Vec<JointObject>,
    pops: Vec<PopObject>,
}

#[derive(Serialize)]
struct GoalObject {
    joint: String,
    solver: &'static str,
    frames: usize,
    reached: usize,
    worst_position_error: f64,
    worst_rotation_error: f64,
    worst_time: Option<f64>,
    ease: [f64; 2],
    gave_way: Option<Given>,
}

/// When a goal gave way, and how far.
#[derive(Serialize)]
struct Given {
    from: f64,
    until: f64,
    distance: f64,
}

#[derive(Serialize)]
struct JointObject {
    joint: String,
    index: Option<usize>,
    speed: Change,
    acceleration: Change,
    jerk: Change,
}

/// The largest value in the clip, and baked.
#[derive(Serialize)]
struct Change {
    before: f64,
    after: f64,
}

#[derive(Serialize)]
struct PopObject {
    joint: String,
    time: f64,
    ratio: f64,
}

impl Baked {
    pub(super) fn of(baking: &Baking<'_>) -> Self {
        let (rig, source) = (baking.rig, baking.source);
        let goals = baking.plan.parts.iter().enumerate().map(|(number, part)| {
            let tally = Tally::of(baking, number, part);
            let gave_way = baking.gave_way.iter().find(|one| one.part == number);
            GoalObject {
                joint: rig.label(part.joint),
                solver: solver(baking, part),
                frames: tally.frames,
                reached: tally.reached,
                worst_position_error: tally.place,
                worst_rotation_error: tally.turn,
                worst_time: tally.worst.map(|(time, _)| time),
                ease: part.track.span.ease,
                gave_way: gave_way.map(|one| Given { from: one.from, until: one.until, distance: one.distance }),
            }
        });
        let joints = baking.changed.iter().map(|one| {
            let change = |order: usize| Change { before: one.before[order], after: one.after[order] };
            JointObject {
                joint: rig.label(one.joint),
                index: rig.figure.node(one.joint),
                speed: change(0),
                acceleration: change(1),
                jerk: change(2),
            }
        });
        let pop = |pop: &Pop| PopObject { joint: rig.label(pop.joint), time: pop.time, ratio: pop.ratio };
        Self {
            clip: source.name.clone(),
            frames: baking.after.len(),
            rate: source.rate,
            start: baking.after.start(),
            end: baking.after.end(),
            goals: goals.collect(),
            joints: joints.collect(),
            pops: baking.pops.iter().map(pop).collect(),
        }
    }
}
