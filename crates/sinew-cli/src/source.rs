//! The motion that a command works on: an animation of a glTF file or the frames of a BVH file, as poses of the rig.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::Pose;
use sinew_gltf::Character;
use sinew_motion::Clip;

use crate::args::RigArgs;
use crate::figure::Figure;
use crate::rig::Rig;
use crate::{input, text, transfer};

/// Frames a second that sparse keys are sampled at, at least.
const LEAST_RATE: f64 = 20.0;
const RATE: f64 = 30.0;
/// Frames a second that keys may tell of.
const MOST_RATE: f64 = 250.0;
/// Part of a frame by which keys may lie beside it.
const BESIDE: f64 = 0.02;
/// More frames fill the memory.
const MOST_FRAMES: usize = 100_000;

/// A motion of a rig.
#[derive(Debug)]
pub(crate) struct Source {
    /// What it is called.
    pub(crate) name: String,
    /// A pose for every frame.
    pub(crate) clip: Clip,
    /// Frames a second.
    pub(crate) rate: f64,
    /// The animation of the rig's own file that it is.
    pub(crate) own: Option<usize>,
    /// Whether its frames are those of the rig's own file, a BVH.
    pub(crate) own_frames: bool,
    pub(crate) notes: Vec<String>,
}

impl Source {
    /// Opens what `wanted` names: `FILE:NAME`, `FILE` with one clip, or of the rig's own clips one by name or number; at
    /// the rate given, or the motion's own.
    pub(crate) fn open(rig: &Rig, wanted: &str, rate: Option<f64>) -> Result<Self> {
        if let Some(rate) = rate.filter(|rate| !(1.0..=1000.0).contains(rate)) {
            bail!("--rate {rate:?}: a clip has 1 to 1000 frames a second; write --rate 30");
        }
        let (file, name) = apart(wanted);
        let is_own = file.is_none_or(|file| is_same(file, &rig.title));
        match &rig.figure {
            Figure::Gltf(character) if is_own => of_character(rig, character, name, rate),
            Figure::Bvh(_) if is_own => of_bvh(rig, name, rate),
            _ => of_other(rig, file.unwrap_or_default(), name, rate),
        }
    }
}

/// The rig that goes with a clip: the one given, else the body in the clip's own file.
pub(crate) fn with_body(rig: &RigArgs, clip: &str) -> RigArgs {
    let own = || file(clip).map(Path::to_owned);
    RigArgs { path: rig.path.clone().or_else(own), ..rig.clone() }
}

/// The file that a clip names.
pub(crate) fn file(clip: &str) -> Option<&Path> {
    apart(clip).0.map(Path::new)
}

/// The pose that `CLIP:TIME` means, or `TIME` of the rig's only clip.
pub(crate) fn pose(rig: &Rig, frame: &str) -> Result<Pose> {
    let inside = || format!("--frame {}", text::short_name(frame));
    let (clip, time) = frame.rsplit_once(':').unwrap_or(("", frame));
    let time: Option<f64> = time.trim().parse().ok().filter(|time: &f64| time.is_finite());
    let Some(time) = time else {
        bail!("{}: no time behind the ':'; write CLIP:SECONDS, such as Walk:0.35", inside());
    };
    let source = Source::open(rig, clip, None).with_context(inside)?;
    let (start, end) = (source.clip.start(), source.clip.end());
    // What is printed of a clip's ends is rounded.
    if !(start - 1e-3..=end + 1e-3).contains(&time) {
        let name = text::short_name(&source.name);
        let [start, end] = [start, end].map(|time| text::decimals(time, 3));
        bail!("{}: '{name}' goes from {start} s to {end} s; write a time between", inside());
    }
    let mut pose = rig.skeleton().rest_pose();
    match (&rig.figure, source.own) {
        (Figure::Gltf(character), Some(own)) => character.animation(own)?.pose(time, &mut pose),
        _ => source.clip.pose(rig.skeleton(), time, &mut pose),
    }
    Ok(pose)
}

/// File and name of `FILE:NAME`; a text that names no file is a name.
fn apart(wanted: &str) -> (Option<&str>, Option<&str>) {
    if Path::new(wanted).is_file() {
        return (Some(wanted), None);
    }
    // Names may hold colons, files too.
    let mut pairs = wanted.match_indices(':').map(|(at, _)| (&wanted[..at], &wanted[at + 1..]));
    match pairs.rfind(|(file, _)| Path::new(file).is_file()) {
        Some((file, name)) => (Some(file), Some(name).filter(|name| !name.is_empty())),
        None => (None, Some(wanted.trim_start_matches(':')).filter(|name| !name.is_empty())),
    }
}

/// What is no clip may be meant as a file; kinds that are not read have their own advice, whether the file is there or not.
fn not_foreign(name: &str) -> Result<()> {
    input::kind(Path::new(name)).map(drop)
}

fn is_same(file: &str, rig: &str) -> bool {
    let whole = |path: &str| Path::new(path).canonicalize().ok();
    file == rig || whole(file).is_some_and(|file| Some(file) == whole(rig))
}

fn of_character(rig: &Rig, character: &Character, name: Option<&str>, rate: Option<f64>) -> Result<Source> {
    let index = find(rig, character, name)?;
    let animation = character.animation(index)?;
    let keys = animation.key_times();
    if keys.is_empty() {
        bail!("{}: clip '{}' moves no joint; name another", text::one_line(&rig.title), animation.name());
    }
    let times = match rate {
        Some(rate) => even(animation.start(), animation.end(), rate),
        None => frames(&keys),
    };
    if times.len() > MOST_FRAMES {
        bail!("clip '{}' has more than {MOST_FRAMES} frames; sample it more coarsely with --rate", animation.name());
    }
    let clip = Clip::sampled(rig.skeleton(), times, |time, pose| animation.pose(time, pose))?;
    let rate = rate.unwrap_or_else(|| rate_of(clip.times()));
    let mut notes = Vec::new();
    if animation.moves_base() {
        notes.push(format!(
            "'{}' also scales nodes above the skeleton, under which its root would shear; they stand still here: apply the armature's scale",
            text::short_name(animation.name())
        ));
    }
    let name = animation.name().to_owned();
    Ok(Source { name, clip, rate, own: Some(index), own_frames: false, notes })
}

/// The animation that a text means: its name, a part that no other has, or its number.
fn find(rig: &Rig, character: &Character, name: Option<&str>) -> Result<usize> {
    let count = character.animation_count();
    let names: Vec<String> = (0..count).map(|index| character.animation_name(index)).collect();
    let title = text::one_line(&rig.title);
    let all = || text::list(names.iter().map(|name| format!("'{}'", text::short_name(name))));
    if count == 0 {
        name.map(not_foreign).transpose()?;
        bail!("{title}: has no clips; name a file with clips");
    }
    let Some(name) = name else {
        return if count == 1 { Ok(0) } else { Err(anyhow!("{title}: has {count} clips; name one of {}", all())) };
    };
    let fits =
        |fits: &dyn Fn(&str) -> bool| -> Vec<usize> { (0..count).filter(|&index| fits(&names[index])).collect() };
    let lower = name.to_lowercase();
    let ways = [
        fits(&|one| one == name),
        name.parse().ok().filter(|&index| index < count).into_iter().collect(),
        fits(&|one| one.to_lowercase() == lower),
        fits(&|one| one.to_lowercase().contains(&lower)),
    ];
    match ways.into_iter().find(|found| !found.is_empty()).as_deref() {
        Some([one]) => Ok(*one),
        Some(several) => {
            let several = several.iter().map(|&index| format!("{index} '{}'", text::short_name(&names[index])));
            bail!("'{}' fits {}; write more of the name, or its number", text::short_name(name), text::list(several))
        }
        None => {
            not_foreign(name)?;
            let name = text::short_name(name);
            let numbers = if count == 1 { "0".to_owned() } else { format!("0 to {}", count - 1) };
            bail!("{title}: no clip, and no file, is called '{name}'; clips are {}, or {numbers}", all())
        }
    }
}

/// The moments of frames that keys tell of: at an even rate if they lie so, at the keys wherever there are some.
fn frames(keys: &[f64]) -> Vec<f64> {
    let (Some(&start), Some(&end)) = (keys.first(), keys.last()) else { return Vec::new() };
    let gap = keys.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let frame = |key: &f64| (key - start) / gap;
    let fits = |key: &f64| (frame(key) - frame(key).round()).abs() <= BESIDE * (1.0 + 0.01 * frame(key));
    if !(gap.is_finite() && gap * MOST_RATE >= 1.0 && keys.iter().all(fits)) {
        return even(start, end, RATE);
    }
    // Sparse keys get frames between.
    let parts = if gap * LEAST_RATE > 1.0 { (gap * RATE).ceil() } else { 1.0 };
    let mut times = vec![start];
    for pair in keys.windows(2) {
        let steps = ((pair[1] - pair[0]) / gap).round() * parts;
        let between = |step: u32| pair[0] + (pair[1] - pair[0]) * f64::from(step) / steps;
        #[allow(clippy::cast_sign_loss, reason = "not negative")]
        times.extend((1..steps as u32).map(between));
        times.push(pair[1]);
    }
    times
}

/// Moments at an even rate, the end among them.
fn even(start: f64, end: f64, rate: f64) -> Vec<f64> {
    #[allow(clippy::cast_sign_loss, reason = "not negative")]
    let steps = (((end - start) * rate - BESIDE).ceil().max(0.0) as usize).min(MOST_FRAMES);
    let mut times: Vec<f64> = (0..steps).map(|step| start + step as f64 / rate).collect();
    times.push(end);
    times
}

/// Frames a second, to a digit or two behind the point.
fn rate_of(times: &[f64]) -> f64 {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return RATE };
    let rate = (times.len() - 1) as f64 / (last - first);
    if rate.is_finite() { (rate * 100.0).round() / 100.0 } else { RATE }
}

/// A clip of another file, for joints that play the same part in both bodies or have the same names.
fn of_other(rig: &Rig, file: &str, name: Option<&str>, rate: Option<f64>) -> Result<Source> {
    let args = RigArgs { path: Some(file.into()), limits: Some("none".to_owned()), reference: None, views: Vec::new() };
    let other = Rig::load(&args)?;
    let source = match &other.figure {
        Figure::Gltf(character) => of_character(&other, character, name, rate)?,
        Figure::Bvh(_) => of_bvh(&other, name, rate)?,
    };
    let (from, to) = (other.skeleton(), rig.skeleton());
    let Some(transfer) = transfer::between(&other, rig) else {
        let (file, rig) = (text::one_line(file), text::one_line(&rig.title));
        bail!(
            "{file}: no joint has the name of one of {rig}, or its place in a body; rename them, or name a clip of the rig's own"
        );
    };
    let mut notes = source.notes;
    let rests = other.figure.reference().map_or("its rest pose".to_owned(), text::one_line);
    notes.push(format!(
        "{} from {}, by their rotations from {rests}; distances times {}",
        text::count(transfer.len(), "joint"),
        text::one_line(file),
        text::decimals(transfer.scale(), 3),
    ));
    if !transfer.unlike().is_empty() {
        let joints =
            transfer.unlike().iter().map(|&(joint, angle)| format!("{} {}", rig.label(joint), text::angle(angle)));
        notes.push(format!(
            "its rest pose differs from that of {}, which was rotated to match: {}",
            text::one_line(&rig.title),
            text::list(joints)
        ));
    }
    let clip = source.clip.transferred(from, to, &transfer);
    Ok(Source { clip, own: None, own_frames: false, notes, ..source })
}

fn of_bvh(rig: &Rig, name: Option<&str>, rate: Option<f64>) -> Result<Source> {
    let Figure::Bvh(bvh) = &rig.figure else { bail!("no BVH file") };
    if let Some(name) = name.filter(|name| *name != "0" && *name != rig.name()) {
        not_foreign(name)?;
        let (name, own) = (text::short_name(name), text::short_name(rig.name()));
        bail!("'{name}': a BVH file has one clip; it is called '{own}' or 0");
    }
    let (bvh, title) = (&bvh.bvh, text::one_line(&rig.title));
    let step = bvh.motion.frame_time;
    let count = bvh.motion.len();
    if count == 0 {
        bail!("{title}: has no frames; name a file with frames");
    }
    if count > MOST_FRAMES {
        bail!("{title}: has more than {MOST_FRAMES} frames; cut it into several files");
    }
    let times = (0..count).map(|frame| frame as f64 * step).collect();
    let mut frame = 0;
    let whole = Clip::sampled(rig.skeleton(), times, |_, pose| {
        bvh.pose_frame(frame, pose);
        frame += 1;
    });
    let whole = whole.with_context(|| title)?;
    let clip = match rate {
        Some(rate) => whole.resampled(rig.skeleton(), rate)?,
        None => whole,
    };
    let own_frames = rate.is_none();
    let name = rig.name().to_owned();
    Ok(Source { name, clip, rate: rate.unwrap_or(1.0 / step), own: None, own_frames, notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_lie_at_the_keys_and_evenly_between() {
        assert_eq!(frames(&[0.5]), [0.5]);
        let dense: Vec<f64> = [0.0, 1.0, 2.0, 4.0, 5.0].map(|frame| f64::from((frame / 24.0) as f32)).to_vec();
        let found = frames(&dense);
        assert_eq!(found.len(), 6);
        assert!(dense.iter().all(|key| found.contains(key)));
        assert!((rate_of(&found) - 24.0).abs() < 0.01);
        let sparse = frames(&[0.0, 1.0, 3.0]);
        assert_eq!((sparse.len(), rate_of(&sparse)), (91, 30.0));
        assert!(sparse.contains(&1.0));
        let uneven = frames(&[0.0, 0.1, 0.17, 1.05]);
        assert!(uneven.len() == 33 && *uneven.last().unwrap() == 1.05);
        let times = even(0.0, 1.0, 30.0);
        assert_eq!((times.len(), times[30]), (31, 1.0));
    }

    #[test]
    fn files_and_names_come_apart() {
        assert_eq!(apart("Cargo.toml"), (Some("Cargo.toml"), None));
        assert_eq!(apart("Cargo.toml:a:b"), (Some("Cargo.toml"), Some("a:b")));
        assert_eq!(apart("Cargo.toml:"), (Some("Cargo.toml"), None));
        assert_eq!((apart("Walk"), apart(":2")), ((None, Some("Walk")), (None, Some("2"))));
    }
}
