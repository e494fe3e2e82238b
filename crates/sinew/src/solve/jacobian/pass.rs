//! What a pass of one solve starts from, and what it ends at.

/// Where a pass starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pass {
    /// From the pose given, of a body.
    First,
    /// From the middle of the limits of what misses its goals.
    Middle,
    /// From the nearest answer, with what is neither limb nor trunk in the middle of its limits; and with all that is no limb.
    Branches,
    Trunk,
    /// From where the pass before ended, with the curvature where that had it.
    On,
    /// From elsewhere, where limits left the goals far: one of the starts that are spread over what the joints may do.
    Spread,
    /// From beside that.
    Beside,
}

impl Pass {
    /// Whether it has few steps, since another start may come after it.
    pub(super) fn is_brief(self) -> bool {
        !matches!(self, Self::On | Self::Spread | Self::Beside)
    }
}

/// A minimum, by its second derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rest {
    /// No limit holds anything there.
    Free,
    /// A way may lead around the limits that hold it.
    Held,
}
