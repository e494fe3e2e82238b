//! How far a ball joint may swing to each of four sides. Between two sides the rim is a quarter of an ellipse, so that
//! it has no corner: what lies outside is nearest to a place of its own quarter.

/// Sines of half the largest swings: about x and about y, each backward and forward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sines(pub(super) [[f64; 2]; 2]);

impl Sines {
    /// The same to all sides.
    pub(crate) const fn round(sine: f64) -> Self {
        Self([[sine; 2]; 2])
    }

    /// The half-axes of the quarter in which a swing lies; of two quarters that it lies between, the wider.
    pub(crate) fn at(&self, x: f64, y: f64) -> [f64; 2] {
        let Self([about_x, about_y]) = *self;
        [about_x[side(x, about_x)], about_y[side(y, about_y)]]
    }

    /// The half-axes of all quarters, those of one ellipse once.
    pub(crate) fn quarters(&self) -> impl Iterator<Item = [f64; 2]> {
        let Self([about_x, about_y]) = *self;
        let sides = |of: [f64; 2]| if of[0] == of[1] { 1 } else { 2 };
        (0..sides(about_x)).flat_map(move |x| (0..sides(about_y)).map(move |y| [about_x[x], about_y[y]]))
    }

    /// Whether there is no swing about x, and about y.
    pub(crate) fn none(&self) -> [bool; 2] {
        self.0.map(|of| of == [0.0; 2])
    }
}

/// The place, among what lies backward and forward, of a swing's part; of none the wider.
pub(super) fn side(part: f64, of: [f64; 2]) -> usize {
    usize::from(part > 0.0 || part == 0.0 && of[1] >= of[0])
}
