//! A path along bones, which says how a ring of skin lies and who moves it.
//!
//! Skin that is to bend without a crack must not belong to a bone as a whole: near a joint it has
//! to pass from one bone to the next by degrees. A [`Chain`] walks the joints of a limb and knows,
//! at each distance, where the limb's axis is, which way a cross-section stands, and the share of
//! each joint. Around a joint the two bones are mixed over a band about as long as the limb is
//! thick, and the cross-section leans with the mixture.

use glam::DVec3;

use crate::mesh::Ring;
use crate::skeleton::{Joint, Skeleton};
use crate::weights::{Weights, smoothstep};

/// One cross-section of a limb: where it is along the chain, and how far it reaches.
#[derive(Debug, Clone, Copy)]
pub struct Station {
    /// Which bone of the chain.
    pub bone: usize,
    /// How far along it: 0 at its joint, 1 at the next.
    pub t: f64,
    /// Half of the width, along the bend axis.
    pub side: f64,
    /// Reach to the side that the joint bends towards.
    pub toward: f64,
    /// Reach to the other side.
    pub away: f64,
}

/// A row of a table of cross-sections, in the order of [`Station`]'s fields.
pub const fn station(bone: usize, t: f64, side: f64, toward: f64, away: f64) -> Station {
    Station { bone, t, side, toward, away }
}

/// The joints of a limb, in line. The last one ends the last bone.
#[derive(Debug)]
pub struct Chain<'a> {
    skeleton: &'a Skeleton,
    joints: Vec<usize>,
    /// Half of the length over which a joint takes over from the one before; none for the first.
    bands: Vec<f64>,
}

impl<'a> Chain<'a> {
    /// A chain of joints, each with half of the length of the band in which it takes over.
    ///
    /// The band of the first is not used. A last joint with a band of 0 gets no skin at all.
    pub fn new(skeleton: &'a Skeleton, joints: &[(&str, f64)]) -> Self {
        Self {
            skeleton,
            joints: joints.iter().map(|(name, _)| skeleton.index(name)).collect(),
            bands: joints.iter().map(|(_, band)| *band).collect(),
        }
    }

    /// The ring of skin at a station.
    pub fn ring(&self, station: &Station) -> Ring {
        let start = self.joint(station.bone);
        let end = self.joint(station.bone + 1);
        let centre = start.position().lerp(end.position(), station.t);
        let weights = self.weights(self.distance(station.bone, station.t));

        let along = self.lean(&weights);
        let turn = smoothstep(0.0, 1.0, station.t);
        let axis = start.bend_axis().lerp(end.bend_axis(), turn);
        let side = axis.reject_from_normalized(along).normalize();
        let toward = side.cross(along);
        Ring {
            centre,
            side: side * station.side,
            front: toward * station.toward,
            back: -toward * station.away,
            weights,
        }
    }

    /// The shares of the chain's joints at the point of the chain that is nearest to `point`.
    pub fn weights_near(&self, point: DVec3) -> Weights {
        let nearest = (0..self.bones()).map(|bone| {
            let start = self.joint(bone).position();
            let span = self.joint(bone + 1).position() - start;
            let t = ((point - start).dot(span) / span.length_squared()).clamp(0.0, 1.0);
            (point.distance(start + span * t), self.distance(bone, t))
        });
        let best = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
        self.weights(best.map_or(0.0, |(_, distance)| distance))
    }

    /// The shares of the joints at a distance from the start of the chain.
    fn weights(&self, distance: f64) -> Weights {
        let mut weights = Weights::of(self.joints[0]);
        for link in 1..self.joints.len() {
            let (joint, band) = (self.joints[link], self.bands[link]);
            let past = distance - self.distance(link - 1, 1.0);
            if band > 0.0 {
                weights = weights.give(joint, smoothstep(-band, band, past));
            }
        }
        weights
    }

    /// The direction across which a ring stands: of the chain's own bones, mixed by their shares.
    fn lean(&self, weights: &Weights) -> DVec3 {
        let own = &self.joints[..self.bones()];
        let shares = weights.shares().iter();
        let mixed: DVec3 = shares
            .filter(|(joint, _)| own.contains(joint))
            .map(|&(joint, share)| self.skeleton.joints()[joint].along() * share)
            .sum();
        mixed.normalize()
    }

    /// How far it is along the chain to a place on a bone.
    fn distance(&self, bone: usize, t: f64) -> f64 {
        let length = |bone| {
            let (start, end) = (self.joint(bone), self.joint(bone + 1));
            start.position().distance(end.position())
        };
        (0..bone).map(length).sum::<f64>() + length(bone) * t
    }

    fn bones(&self) -> usize {
        self.joints.len() - 1
    }

    fn joint(&self, link: usize) -> &Joint {
        &self.skeleton.joints()[self.joints[link]]
    }
}
