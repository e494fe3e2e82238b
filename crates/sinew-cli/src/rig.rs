//! The rig that a command works on: a file, or the human built in, with what was recognised and the limits asked for.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::{Joint, Pose, Skeleton};
use sinew_draw::{Look, Unit};
use sinew_gltf::Character;
use sinew_rig::{BodyKind, Evidence, Human, Recognition, Sidecar, recognize};

use crate::args::RigArgs;
use crate::figure::{Figure, no_reference};
use crate::place::BodyAxes;
use crate::robot::Machine;
use crate::{joint_ref, output, text};

/// The human of this project's own making; see `rigs/`.
const HUMAN: &[u8] = include_bytes!("../../../rigs/human.glb");

/// A rig higher than this (metres) was made in centimetres: giants are less high, and figures in centimetres higher.
pub(crate) const TALL: f64 = 30.0;
/// Heights of bodies (metres): of those that suit two units none is sure.
const BODY: std::ops::RangeInclusive<f64> = 1.2..=2.3;

/// A sidecar's name is its rig's with this in place of the extension.
const SIDECAR: &str = "sinew.toml";

/// Where limits come from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Limits {
    /// The sidecar beside the rig, if there is one.
    Beside,
    /// Nowhere: the file as it is.
    None,
    /// A human's.
    Preset,
    /// This sidecar.
    File(PathBuf),
}

impl Limits {
    /// What `--limits` says.
    fn of(text: Option<&str>) -> Self {
        match text {
            None => Self::Beside,
            Some("none") => Self::None,
            Some("preset") => Self::Preset,
            Some(file) => Self::File(file.into()),
        }
    }
}

/// A character with what to call it.
#[derive(Debug)]
pub(crate) struct Rig {
    /// The path as it was given; `human` for the one built in.
    pub(crate) title: String,
    pub(crate) figure: Figure,
    /// The sidecar that was read.
    pub(crate) sidecar: Option<PathBuf>,
    /// Whether a human's limits were put on.
    pub(crate) preset: bool,
    /// From where pictures look; empty where nothing was said.
    pub(crate) looks: Vec<Look>,
    found: OnceCell<Recognition>,
    start: OnceCell<Pose>,
    axes: OnceCell<BodyAxes>,
}

impl Rig {
    /// Loads a file, or the built-in human where there is none, with the limits asked for.
    pub(crate) fn load(args: &RigArgs) -> Result<Self> {
        let (path, limits) = (args.path.as_deref(), Limits::of(args.limits.as_deref()));
        let reference = args.reference.as_deref();
        let mut rig = if let Some(path) = path {
            Self::plain(output::title(path), Figure::load(path, reference)?)
        } else {
            no_reference(reference)?;
            Self::human()?
        };
        rig.looks = args.views.iter().map(|view| view.look()).collect();
        let (skeleton, found) = sinew_rig::prepare(&rig.evidence());
        rig.figure.set_skeleton(skeleton);
        rig.found = OnceCell::from(found);
        match limits {
            Limits::None => {}
            Limits::Beside => {
                let own = path.filter(|path| !output::is_standard(path));
                let beside = own.map(sidecar_of).filter(|beside| beside.is_file());
                beside.map(|file| rig.apply(&file)).transpose()?;
            }
            Limits::File(file) => rig.apply(&file)?,
            Limits::Preset => {
                let body = rig.found().body;
                if body != BodyKind::Humanoid {
                    let (title, body) = (&rig.title, body.name());
                    bail!(
                        "--limits preset: {title} was recognised as {body}, and the preset is a human's; name a sidecar instead (`sinew inspect RIG --write-sidecar` makes one)"
                    );
                }
                let limited = Human::default().apply(rig.skeleton(), rig.found()).context("--limits preset")?;
                rig.found = OnceCell::from(rig.found().clone().on(&limited));
                rig.figure.set_skeleton(limited);
                rig.preset = true;
            }
        }
        Ok(rig)
    }

    /// The same for a verb that robots have no use for.
    pub(crate) fn only(args: &RigArgs, verb: &str) -> Result<Self> {
        match Machine::given(args)? {
            Some(machine) => bail!(
                "{}: `sinew {verb}` is for characters; robots have `sinew inspect`, `solve`, `compare`, `path` and `reach`",
                machine.title
            ),
            None => Self::load(args),
        }
    }

    /// The human built in.
    pub(crate) fn human() -> Result<Self> {
        let character = Character::from_slice(HUMAN, None).context("the human built into this program")?;
        Ok(Self::plain("human".to_owned(), Figure::Gltf(Box::new(character))))
    }

    fn plain(title: String, figure: Figure) -> Self {
        Self {
            title,
            figure,
            sidecar: None,
            preset: false,
            looks: Vec::new(),
            found: OnceCell::new(),
            start: OnceCell::new(),
            axes: OnceCell::new(),
        }
    }

    fn apply(&mut self, file: &Path) -> Result<()> {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| {
            anyhow!("{name}: cannot be read ({error}); name a sidecar, `preset` or `none` (`sinew inspect RIG --write-sidecar` makes a sidecar)")
        })?;
        let find = |joint: &str| joint_ref::find(self, joint).map_err(|error| error.to_string());
        let applied = Sidecar::read(&text, &name)?.apply(&self.evidence(), find)?;
        self.figure.set_skeleton(applied.skeleton);
        self.preset = applied.preset;
        self.found = OnceCell::from(applied.recognition);
        self.sidecar = Some(file.to_owned());
        Ok(())
    }

    /// What is to be said of the rig whatever is done with it, a line each.
    pub(crate) fn notes(&self) -> Vec<String> {
        let sidecar = self
            .sidecar
            .as_ref()
            .map(|sidecar| format!("names and limits from {}", text::one_line(&sidecar.display().to_string())));
        sidecar.into_iter().chain(self.figure.packed_meshes()).collect()
    }

    /// The node of the joint's parent; none for roots.
    pub(crate) fn parent_node(&self, at: Joint) -> Option<usize> {
        self.skeleton().parent(at).and_then(|parent| self.figure.node(parent))
    }

    /// What the file tells about the rig.
    pub(crate) fn evidence(&self) -> Evidence<'_> {
        self.figure.evidence()
    }

    /// What the rig was recognised as; found out when it is first asked for.
    pub(crate) fn found(&self) -> &Recognition {
        self.found.get_or_init(|| recognize(&self.evidence()))
    }

    /// The pose that solves start from: the rest, unless told otherwise.
    pub(crate) fn start(&self) -> &Pose {
        self.start.get_or_init(|| self.skeleton().rest_pose())
    }

    /// Whether solves start from the rest pose.
    pub(crate) fn starts_at_rest(&self) -> bool {
        *self.start() == self.skeleton().rest_pose()
    }

    /// Has solves start from a pose.
    pub(crate) fn start_at(&mut self, pose: Pose) {
        (self.start, self.axes) = (OnceCell::from(pose), OnceCell::new());
    }

    /// The body's own axes and height; found out when they are first asked for.
    pub(crate) fn axes(&self) -> BodyAxes {
        *self.axes.get_or_init(|| BodyAxes::of(self))
    }

    /// The path of the rig's sidecar, whether there is one or not.
    pub(crate) fn sidecar_path(&self) -> PathBuf {
        sidecar_of(Path::new(&self.title))
    }

    /// The title without folder and extension.
    pub(crate) fn name(&self) -> &str {
        Path::new(&self.title).file_stem().and_then(|stem| stem.to_str()).unwrap_or(&self.title)
    }

    pub(crate) fn skeleton(&self) -> &Skeleton {
        self.figure.skeleton()
    }

    /// Extent of the body at rest along what is up for it.
    pub(crate) fn height(&self) -> f64 {
        if let Figure::Gltf(character) = &self.figure {
            return character.height();
        }
        let (rest, up) = (self.skeleton().rest_pose(), self.found().up);
        let heights = self.skeleton().iter().map(|joint| rest.position(joint).dot(up));
        let (low, high) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        high - low
    }

    /// What the file's lengths are in: metres in glTF, unless the body is too high for that; whatever suits the body's height in BVH,
    /// which does not say.
    pub(crate) fn unit(&self) -> Unit {
        match (&self.figure, self.height()) {
            (Figure::Gltf(_), height) if height > TALL => Unit::Unknown,
            (Figure::Gltf(_), _) => Unit::Metres,
            (_, height) if BODY.contains(&height) => Unit::Metres,
            (_, height) if BODY.contains(&(height * 1e-2)) => Unit::Centimetres,
            (_, height) if BODY.contains(&(height * 1e-3)) => Unit::Millimetres,
            _ => Unit::Unknown,
        }
    }

    /// A length with its unit.
    pub(crate) fn length(&self, length: f64) -> String {
        match self.unit() {
            Unit::Metres => text::length(length),
            unit => unit.text(length),
        }
    }

    /// What the joint is called in reports: its name, else `#N` (`#N_tip` for an inferred tip).
    pub(crate) fn label(&self, joint: Joint) -> String {
        match self.skeleton().name(joint) {
            Some(name) if !name.is_empty() => text::short_name(name),
            _ => self.index_label(joint).unwrap_or_else(|| "unnamed".to_owned()),
        }
    }

    /// What finds the joint and no other: its name where that is its own, else `#N`.
    pub(crate) fn key(&self, joint: Joint) -> String {
        let skeleton = self.skeleton();
        let name = skeleton.name(joint).filter(|name| !name.starts_with('#') && name.trim() == *name);
        let own = name.filter(|name| skeleton.find(name).is_ok_and(|found| found == joint));
        own.map(str::to_owned).or_else(|| self.index_label(joint)).unwrap_or_else(|| self.label(joint))
    }

    /// `#N`, or `#N_tip` for an inferred tip.
    fn index_label(&self, joint: Joint) -> Option<String> {
        let node = self.figure.node(joint).map(|node| format!("#{node}"));
        node.or_else(|| Some(format!("#{}_tip", self.figure.node(self.skeleton().parent(joint)?)?)))
    }

    /// The joint with its index, to tell joints of one name apart: `#12 Hand`.
    pub(crate) fn reference(&self, joint: Joint) -> String {
        match (self.index_label(joint), self.skeleton().name(joint)) {
            (Some(index), Some(name)) if !name.is_empty() => format!("{index} {}", text::short_name(name)),
            _ => self.label(joint),
        }
    }
}

fn sidecar_of(rig: &Path) -> PathBuf {
    rig.with_extension(SIDECAR)
}
