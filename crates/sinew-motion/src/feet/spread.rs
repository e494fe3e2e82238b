//! How feet lie and are raised about their middle: what a body tilts with.

use glam::DVec3;

use super::foot::Footing;

/// Sums over the feet that can be averaged over time, so that feet which come together for a moment still tell of a slope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    /// How far they are from their middle along two directions along the ground: the first squared, both, the second squared.
    pub(super) shape: DVec3,
    /// How far they are from their middle, along the ground, times how much more than the mean they are raised.
    pub(super) rise: DVec3,
}

impl Spread {
    pub(super) fn of(feet: &[Footing], up: DVec3) -> Self {
        let count = feet.len() as f64;
        let [place, raised] =
            feet.iter().fold([DVec3::ZERO; 2], |sum, foot| [sum[0] + foot.place / count, sum[1] + foot.offset / count]);
        let [first, second] = axes(up);
        let add = |sum: Self, foot: &Footing| {
            let off = (foot.place - place).reject_from_normalized(up);
            let (x, y) = (off.dot(first), off.dot(second));
            let rise = sum.rise + off * (foot.offset - raised).dot(up);
            Self { shape: sum.shape + DVec3::new(x * x, x * y, y * y), rise }
        };
        feet.iter().fold(Self { shape: DVec3::ZERO, rise: DVec3::ZERO }, add)
    }

    /// The plane of least squares through what feet are raised by: how it rises (a tangent, along the direction along the ground in which
    /// it rises most). Less where feet lie no farther from a line than about the root of `least`.
    pub(super) fn slope(&self, up: DVec3, least: f64) -> DVec3 {
        let [first, second] = axes(up);
        let (xx, xy, yy) = (self.shape.x + least, self.shape.y, self.shape.z + least);
        let (x, y) = (self.rise.dot(first), self.rise.dot(second));
        let determinant = (xx * yy - xy * xy).max(f64::MIN_POSITIVE);
        (first * (x * yy - y * xy) + second * (y * xx - x * xy)) / determinant
    }
}

/// Two directions along the ground.
fn axes(up: DVec3) -> [DVec3; 2] {
    let (first, second) = up.any_orthonormal_pair();
    [first, second]
}
