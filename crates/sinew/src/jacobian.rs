//! How fast a joint's frame moves by each coordinate: the geometric Jacobian.
//!
//! With `L` the linear part of what lies above a hinge with the axis `a` (in its parent's frame) at `o`, a point `x`
//! that hangs on it moves by `L (a × L⁻¹ (x - o))`, and turns about the unit vector along `cof(L) a`; for rigid `L`
//! that is `ω × (x - o)` and `ω = L a`.

use glam::{DMat3, DVec3};

use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};

impl Pose {
    /// Fills `columns`, one for each coordinate in the order of [`Skeleton::coordinates`]. A column is the rate of the
    /// joint's frame per radian or metre of the coordinate, in model space: the velocity of its origin (metres), then
    /// its angular velocity (radians). Joints that share a coordinate add up, each by its multiplier. Balls and free
    /// joints have no coordinate, and so no column. Below shear a frame does not turn as a rotation, and its angular
    /// velocity is approximate.
    ///
    /// # Panics
    /// Where pose or joint are another skeleton's, or there are not as many columns as coordinates.
    pub fn jacobian(&self, skeleton: &Skeleton, joint: Joint, columns: &mut [[f64; 6]]) {
        assert!(self.fits(skeleton) && skeleton.contains(joint), "the pose or joint belongs to another skeleton");
        assert!(columns.len() == skeleton.coordinates().len(), "a column a coordinate");
        columns.fill([0.0; 6]);
        let point = self.position(joint);
        let mut at = Some(joint);
        while let Some(mover) = at {
            let above = skeleton.parent(mover);
            if let Some(drive) = skeleton.drive(mover) {
                let map = above.map_or(skeleton.base(mover).matrix3, |above| self.model(above).matrix3);
                let (linear, angular) = self.rate(skeleton, mover, &map, point);
                let column = &mut columns[drive.coordinate];
                for (entry, rate) in column.iter_mut().zip(linear.to_array().into_iter().chain(angular.to_array())) {
                    *entry += drive.multiplier * rate;
                }
            }
            at = above;
        }
    }

    /// Velocity of a point that hangs on a hinge or slide, and angular velocity, by the joint's own value; `map` is
    /// the linear part above it. Zero where a scale of zero above leaves nothing to move.
    fn rate(&self, skeleton: &Skeleton, mover: Joint, map: &DMat3, point: DVec3) -> (DVec3, DVec3) {
        let turned = skeleton.zero(mover).rotation;
        match skeleton.kind(mover) {
            Kind::Hinge { axis, .. } => {
                let axis = turned * axis;
                let cofactors = DMat3::from_cols(
                    map.y_axis.cross(map.z_axis),
                    map.z_axis.cross(map.x_axis),
                    map.x_axis.cross(map.y_axis),
                );
                let Some(angular) = arc::unit(cofactors * axis) else { return (DVec3::ZERO, DVec3::ZERO) };
                let arm = cofactors.transpose() * (point - self.position(mover)) / map.determinant();
                (*map * axis.cross(arm), angular)
            }
            Kind::Slide { axis, .. } => (*map * (turned * axis), DVec3::ZERO),
            _ => (DVec3::ZERO, DVec3::ZERO),
        }
    }
}
