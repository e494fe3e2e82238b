//! What kind of problems are made.

/// Bounds of random problems.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Mood {
    pub(crate) name: &'static str,
    /// What the help says of it.
    pub(crate) about: &'static str,
    /// At most so many joints and goals.
    pub(crate) joints: usize,
    pub(crate) goals: usize,
    /// Share of joints with a limit, or that do not turn freely.
    pub(crate) limits: f64,
    /// Bones of no length, several roots, axes and poles without direction.
    pub(crate) degenerate: bool,
    /// Scaled joints: equally, unequally, mirrored.
    pub(crate) scales: bool,
    /// Sizes, masses, targets and pulls near the ends of what numbers are.
    pub(crate) extremes: bool,
    /// NaN, infinities, weights that are none.
    pub(crate) invalid: bool,
    /// Springs in time instead of solvers.
    pub(crate) springs: bool,
}

const PLAIN: Mood = Mood {
    name: "plain",
    about: "what a user would build: up to 12 joints of every kind, up to 4 goals",
    joints: 12,
    goals: 4,
    limits: 0.7,
    degenerate: false,
    scales: false,
    extremes: false,
    invalid: false,
    springs: false,
};

/// Every mood, in the order in which `all` runs them.
pub(crate) const MOODS: [Mood; 6] = [
    PLAIN,
    Mood {
        name: "degenerate",
        about: "bones of no length, several roots, directions that are none",
        degenerate: true,
        ..PLAIN
    },
    Mood { name: "scales", about: "joints scaled equally, unequally and mirrored", scales: true, ..PLAIN },
    Mood {
        name: "wild",
        about: "all of it, at sizes from 1e-12 to 1e12, with goals that are no numbers",
        joints: 14,
        goals: 5,
        limits: 0.6,
        degenerate: true,
        scales: true,
        extremes: true,
        invalid: true,
        springs: false,
    },
    Mood { name: "large", about: "up to 60 joints and 8 goals", joints: 60, goals: 8, limits: 0.6, ..PLAIN },
    Mood {
        name: "springs",
        about: "springs of any mass and stretch on bodies that jitter, jump and hitch, instead of solvers",
        degenerate: true,
        springs: true,
        ..PLAIN
    },
];
