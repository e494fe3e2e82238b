//! The way of the body: a line, a circle, a turn on the spot, or moments from a file.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use sinew::glam::{DQuat, DVec3};
use sinew_motion::PathPoint;

use crate::ground::Start;
use crate::text;

/// Seconds in which a walk comes up to speed and stops, as a share of the walk at most.
const EASE: f64 = 0.8;
/// Difference of time by which speeds are measured.
const INSTANT: f64 = 1e-4;

#[derive(Clone, Debug)]
enum Shape {
    Line,
    Circle { radius: f64 },
    Turn { rate: f64 },
    Moments(Vec<Moment>),
}

#[derive(Clone, Copy, Debug)]
struct Moment {
    time: f64,
    place: DVec3,
    heading: Option<f64>,
}

/// A way over time.
#[derive(Clone, Debug)]
pub(super) struct Route {
    shape: Shape,
    start: Start,
    pub(super) speed: f64,
    pub(super) seconds: f64,
}

impl Route {
    pub(super) fn read(option: &str, start: Start, speed: f64, seconds: f64, height: f64) -> Result<Self> {
        let shape = match option {
            "line" => Shape::Line,
            "circle" => Shape::Circle { radius: 3.0 * height },
            "turn" => Shape::Turn { rate: speed / height * 0.9 },
            file => {
                let moments = moments(Path::new(file))?;
                let seconds = moments.last().map_or(0.0, |last| last.time);
                return Ok(Self { shape: Shape::Moments(moments), start, speed, seconds });
            }
        };
        Ok(Self { shape, start, speed, seconds })
    }

    /// How far it has come, eased in and out.
    fn come(&self, time: f64) -> f64 {
        let ease = EASE.min(0.25 * self.seconds);
        let ramp = |t: f64| {
            let x = (t / ease).clamp(0.0, 1.0);
            x * x * x * (1.0 - 0.5 * x) * ease + (t - ease).max(0.0)
        };
        ramp(time) - ramp(time - (self.seconds - 1.6 * ease))
    }

    /// The point at a moment.
    pub(super) fn at(&self, time: f64) -> PathPoint {
        let (before, now, after) = (self.place(time - INSTANT), self.place(time), self.place(time + INSTANT));
        let turn = self.heading(time + INSTANT) - self.heading(time - INSTANT);
        PathPoint {
            position: now,
            forward: DQuat::from_axis_angle(self.start.up, self.heading(time)) * self.start.forward,
            velocity: (after - before) / (2.0 * INSTANT),
            turning: turn / (2.0 * INSTANT),
        }
    }

    fn place(&self, time: f64) -> DVec3 {
        let Start { at, up, forward } = self.start;
        match &self.shape {
            Shape::Line => at + forward * (self.speed * self.come(time)),
            Shape::Circle { radius } => {
                let left = up.cross(forward);
                let angle = self.speed * self.come(time) / radius;
                at + forward * (radius * angle.sin()) + left * (radius * (1.0 - angle.cos()))
            }
            Shape::Turn { .. } => at,
            Shape::Moments(moments) => {
                let (i, s, h) = span(moments, time);
                let place = |k: usize| moments[k.min(moments.len() - 1)].place;
                let slope = |k: usize| {
                    let (a, b) = (k.saturating_sub(1), (k + 1).min(moments.len() - 1));
                    let inner = k > 0 && k + 1 < moments.len();
                    if inner { (place(b) - place(a)) / (moments[b].time - moments[a].time) } else { DVec3::ZERO }
                };
                let (a, b, t) = (place(i), place(i + 1), 1.0 - s);
                a * (t * t * (1.0 + 2.0 * s)) + b * (s * s * (1.0 + 2.0 * t)) + slope(i) * (h * s * t * t)
                    - slope(i + 1) * (h * s * s * t)
            }
        }
    }

    /// About up, from the start (radians).
    fn heading(&self, time: f64) -> f64 {
        match &self.shape {
            Shape::Line => 0.0,
            Shape::Circle { radius } => self.speed * self.come(time) / radius,
            Shape::Turn { rate } => rate * self.come(time),
            Shape::Moments(moments) => {
                let (i, s, _) = span(moments, time);
                let next = (i + 1).min(moments.len() - 1);
                match (moments[i].heading, moments[next].heading) {
                    (Some(a), Some(b)) => a + (b - a) * s * s * (3.0 - 2.0 * s),
                    _ => self.along(time),
                }
            }
        }
    }

    /// The heading of the way itself.
    fn along(&self, time: f64) -> f64 {
        let end = self.seconds;
        let mut time = time.clamp(0.02 * end, 0.98 * end);
        let way = loop {
            let way = self.place(time + 0.05) - self.place(time - 0.05);
            if way.length() > 1e-6 || time > 0.9 * end {
                break way;
            }
            time += 0.02 * end;
        };
        let left = self.start.up.cross(self.start.forward);
        way.dot(left).atan2(way.dot(self.start.forward))
    }
}

/// The moment before, the share of the time to the next, and that time.
fn span(moments: &[Moment], time: f64) -> (usize, f64, f64) {
    let next = moments.partition_point(|moment| moment.time <= time).clamp(1, moments.len() - 1);
    let (a, b) = (moments[next - 1].time, moments[next].time);
    (next - 1, ((time - a) / (b - a)).clamp(0.0, 1.0), b - a)
}

fn moments(file: &Path) -> Result<Vec<Moment>> {
    let name = text::one_line(&file.display().to_string());
    let read = std::fs::read_to_string(file).with_context(|| {
        format!("--path {name}: cannot be read; write line, circle, turn, or the name of a .csv or .json file")
    })?;
    let json = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let rows = if json { json_rows(&read) } else { csv_rows(&read) };
    let rows = rows.with_context(|| format!("--path {name}"))?;
    if rows.len() < 2 || rows.len() > 100_000 {
        bail!("--path {name}: has {}; write 2 to 100000", text::count(rows.len(), "moment"));
    }
    if let Some(place) = rows.windows(2).position(|pair| pair[1].time <= pair[0].time) {
        bail!("--path {name}: moment {} is not later than the one before", place + 2);
    }
    let first = rows[0].time;
    Ok(rows.into_iter().map(|row| Moment { time: row.time - first, ..row }).collect())
}

fn moment(number: usize, get: impl Fn(&str) -> Option<f64>) -> Result<Moment> {
    let need = |name: &str| {
        get(name)
            .filter(|value| value.is_finite())
            .with_context(|| format!("moment {number}: '{name}' is not a number"))
    };
    let place = DVec3::new(need("x")?, need("y")?, need("z")?);
    let heading = get("heading").filter(|value| value.is_finite()).map(f64::to_radians);
    Ok(Moment { time: need("time")?, place, heading })
}

fn csv_rows(text: &str) -> Result<Vec<Moment>> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let names = reader.headers()?.clone();
    let row = |(index, record): (usize, csv::Result<csv::StringRecord>)| {
        let record = record?;
        let column = |name: &str| names.iter().position(|one| one.eq_ignore_ascii_case(name));
        moment(index + 1, |name| record.get(column(name)?)?.parse().ok())
    };
    reader.records().enumerate().map(row).collect()
}

fn json_rows(text: &str) -> Result<Vec<Moment>> {
    let rows: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(text).context("no list of objects with time, x, y, z")?;
    rows.iter().enumerate().map(|(index, row)| moment(index + 1, |name| row.get(name)?.as_f64())).collect()
}
