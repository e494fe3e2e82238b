//! What options let one choose from.

use clap::ValueEnum;
use sinew_draw::Look;

/// `--view`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewChoice {
    /// From the front
    Front,
    /// From its right
    Side,
    /// From behind
    Back,
    /// From above
    Above,
    /// From the front, turned to the side and a little from above
    ThreeQuarter,
}

impl ViewChoice {
    pub(crate) fn look(self) -> Look {
        match self {
            Self::Front => Look::Front,
            Self::Side => Look::Side,
            Self::Back => Look::Back,
            Self::Above => Look::Above,
            Self::ThreeQuarter => Look::ThreeQuarter,
        }
    }
}

/// Methods by the names they have in benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// What suits the rig and the goals
    Auto,
    /// Each goal by its own limb, as it was recognised. Three links when --aim, --along or --fold places the last link, or when
    /// --base is three bending joints above; a chain when it is more; one bone, which points, where an arm or leg has no more;
    /// else two bones
    Limbs,
    /// The closed form for limbs of two bones
    TwoBone,
    /// The closed form for limbs of three links: fingers, legs of animals
    ThreeLink,
    /// Aims only
    Aim,
    /// Forward and backward reaching: all goals together, chains of any length
    Fabrik,
    /// Cyclic coordinate descent: all goals together
    Ccd,
    /// Levenberg–Marquardt on the Jacobian: all goals together, every kind of goal
    Jacobian,
    /// The transpose of the Jacobian: simple, slow, smooth
    Transpose,
    /// Damped least squares on the Jacobian
    Damped,
    /// Selectively damped least squares on the Jacobian
    Selective,
    /// Springs at the joints: all goals together, joints bend as little as the goals allow, the root may move (--root), and the
    /// body can keep its balance (--stand)
    MassSpring,
    /// Chains of hinges and slides, such as robot arms
    Serial,
    /// All goals together, by the general solver that suits them (`Auto` of the library)
    Whole,
    /// A whole human, posed as people hold themselves: hips, trunk, collar bones, elbows and knees follow the goals
    Body,
}

/// `--plane`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlaneChoice {
    /// Toward the pole, or as at rest
    Pole,
    /// All three links in one plane, bent to the side to which the last one points
    Natural,
    /// All three links in one plane, bent to the other side
    Back,
}

/// `--bend`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BendChoice {
    /// As in the pose at the start; a straight limb takes its preferred bend
    Given,
    /// As in the rest pose
    Rest,
}

/// `--yields`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum YieldsChoice {
    /// The tip's position
    Position,
    /// The last link's direction
    Direction,
}
