//! What the fitting program needs: what real poses say about each of the natural functions.

use glam::DVec3;
use sinew::math::{arc, ops};
use sinew::{Pose, Skeleton};

use super::Body;
use super::hips;
use super::layout::Limb;
use super::natural::{self, Side};
use super::place::{Room, spread};
use super::seen::Seen;
use super::targets::{BodyTargets, LimbWanted, Wanted};
use super::trunk::Trunk;

/// A direction, as a linear function of features, that should point as `target` does: counted square to `line`, by the length
/// of `target` (leg or arm lengths).
#[derive(Clone, Debug)]
pub struct Pointing {
    /// Features.
    pub features: Vec<f64>,
    /// Unit direction to which the answer is square.
    pub line: DVec3,
    /// From the line to the joint.
    pub target: DVec3,
    /// How much it counts.
    pub weight: f64,
}

/// A number, as a linear function of features.
#[derive(Clone, Debug)]
pub struct Value {
    /// Features.
    pub features: Vec<f64>,
    /// What it should be.
    pub target: f64,
    /// How much it counts.
    pub weight: f64,
}

/// What poses say.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Knees, of feet that are turned as told.
    pub knee: Vec<Pointing>,
    /// Knees, of feet that are turned as they like.
    pub knee_free: Vec<Pointing>,
    /// Elbows, of hands that are turned as told.
    pub elbow: Vec<Pointing>,
    /// Elbows, of hands that are turned as they like.
    pub elbow_free: Vec<Pointing>,
    /// Collar bones' rotation vectors, x, y and z.
    pub collar: [Vec<Value>; 3],
    /// The trunk's joints: nodding, turning, leaning aside.
    pub trunk: [Vec<Value>; 3],
    /// From the head to the hips, in the body's height: x, y and z.
    pub hips_place: [Vec<Value>; 3],
    /// The hips' rotation vector: x, y and z.
    pub hips_turn: [Vec<Value>; 3],
}

impl Samples {
    /// All numbers.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        let Self { collar, trunk, hips_place, hips_turn, .. } = self;
        [collar, trunk, hips_place, hips_turn].into_iter().flatten().flatten()
    }
}

/// What clips of people who jump and dance lack: hands before belly, chest and mouth, whose elbows hang beside the trunk. Lengths of an
/// arm, of two equal bones.
pub fn hanging() -> Vec<Pointing> {
    let (mut samples, steps) = (Vec::new(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    for (across, up, ahead) in steps.iter().flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| (x, y, z)))) {
        let hand = DVec3::new(0.05 - 0.45 * across, 0.4 * up - 0.4, 0.2 + 0.4 * ahead);
        let (far, down) = (arc::length(hand), DVec3::new(0.35, -0.93, 0.0));
        let Some(line) = arc::unit(hand) else { continue };
        let target = arc::unit(arc::reject(down, line)).unwrap_or(down) * 0.5 * ops::sqrt((1.0 - far * far).max(0.0));
        let features = natural::elbow_free_features(line, far, Side(1.0)).to_vec();
        samples.push(Pointing { features, line, target, weight: 1.0 });
    }
    samples
}

impl Body {
    /// The height of the lower foot of a pose.
    #[doc(hidden)]
    pub fn floor(&self, skeleton: &Skeleton, pose: &Pose) -> f64 {
        let mut seen = Seen::default();
        seen.look(skeleton, &self.layout, pose);
        hips::floor(&self.layout, &seen)
    }

    /// Adds what a real pose says, of a body whose feet stand at the height `floor`.
    #[doc(hidden)]
    pub fn sample(&self, skeleton: &Skeleton, pose: &Pose, floor: f64, samples: &mut Samples) {
        let mut room = Room::default();
        room.seen.look(skeleton, &self.layout, pose);
        room.place(skeleton, &self.layout, &self.six(&room.seen));
        self.sample_legs(&room.seen, samples);
        self.sample_arms(&room, samples);
        self.sample_trunk(&room.seen, samples);
        self.sample_hips(&room.seen, floor, samples);
    }

    /// What six trackers on a real body ask for.
    fn six(&self, seen: &Seen) -> BodyTargets {
        let layout = &self.layout;
        let wanted = |joint| {
            let frame = seen.at(joint);
            Wanted { position: Some(frame.position), rotation: Some(frame.rotation) }
        };
        let limb = |limb: Option<Limb>| {
            limb.map_or(LimbWanted::default(), |limb| LimbWanted { end: wanted(limb.end), ..LimbWanted::default() })
        };
        BodyTargets {
            hips: wanted(layout.hips),
            head: wanted(layout.trunk[layout.trunk.len() - 1]),
            look: None,
            chest: None,
            arms: layout.arms.map(limb),
            legs: layout.legs.map(limb),
        }
    }

    fn sample_legs(&self, seen: &Seen, samples: &mut Samples) {
        let hips = seen.at(self.layout.hips);
        for leg in self.layout.legs.iter().flatten() {
            let side = Side(leg.sign);
            let back = hips.rotation.conjugate();
            let reach = seen.reach(leg);
            let [hip, knee, foot] = [leg.upper, leg.lower, leg.end].map(|joint| back * seen.at(joint).position);
            let Some(line) = arc::unit(foot - hip) else { continue };
            let (line, target) = (side.flip(line), side.flip(arc::reject(knee - hip, line)) / reach);
            let turned = back * seen.at(leg.end).rotation;
            let features = natural::knee_features(side.flip(line), turned, side);
            samples.knee.push(Pointing { features: features.to_vec(), line, target, weight: 1.0 });
            samples.knee_free.push(Pointing { features: features[..4].to_vec(), line, target, weight: 1.0 });
        }
    }

    /// Arms hang on the chest as this solver would turn it by the numbers that it has: what it does wrong is made up for.
    fn sample_arms(&self, room: &Room, samples: &mut Samples) {
        let (seen, layout) = (&room.seen, &self.layout);
        let from = layout.trunk[layout.chest];
        let chest = room.out.at(from);
        for arm in layout.arms.iter().flatten() {
            let side = Side(arm.sign);
            let back = chest.rotation.conjugate();
            let reach = seen.reach(arm);
            let [elbow, hand] = [arm.lower, arm.end].map(|joint| back * seen.at(joint).position);
            let shoulder = back * room.out.at(arm.upper).position;
            let Some(line) = arc::unit(hand - shoulder) else { continue };
            let features = natural::elbow_features(line, back * seen.at(arm.end).rotation, side);
            let target = side.flip(arc::reject(elbow - shoulder, line)) / reach;
            let line = side.flip(line);
            samples.elbow.push(Pointing { features: features.to_vec(), line, target, weight: 1.0 });
            let free = natural::elbow_free_features(side.flip(line), arc::length(hand - shoulder) / reach, side);
            samples.elbow_free.push(Pointing { features: free.to_vec(), line, target, weight: 1.0 });
            let Some(collar) = arm.collar else { continue };
            let (base, bone) = (chest.point(seen.bone(from, collar)), seen.bone(collar, arm.upper));
            let features = natural::collar_features((hand - back * base - bone) / reach, side);
            let real = back * (seen.at(arm.upper).position - base);
            let (Some(own), Some(real)) = (arc::unit(bone), arc::unit(real)) else { continue };
            let turn = side.flip_turn(arc::rotation_vector(arc::arc(own, real, DVec3::Y)));
            for (axis, samples) in samples.collar.iter_mut().enumerate() {
                let weight = arc::length(bone) / reach;
                samples.push(Value { features: features.to_vec(), target: turn[axis], weight });
            }
        }
    }

    fn sample_trunk(&self, seen: &Seen, samples: &mut Samples) {
        let layout = &self.layout;
        let back = seen.at(layout.hips).rotation.conjugate();
        let mut trunk = Trunk::default();
        trunk.begin(layout.trunk.windows(2).map(|pair| seen.bone(pair[0], pair[1])));
        let (first, head) = (seen.at(layout.trunk[0]), seen.at(layout.trunk[layout.trunk.len() - 1]));
        let place = |joint| back * (seen.at(joint).position - first.position);
        let hands = layout.arms.map(|arm| arm.map(|arm| place(arm.end)));
        let target = back * (head.position - first.position);
        let told = trunk.seen(target, back * head.rotation, spread(seen, layout, target, hands));
        let whole: f64 = trunk.bones.iter().map(|&bone| arc::length(bone)).sum();
        for (place, &bone) in trunk.bones.iter().enumerate() {
            let turn = arc::rotation_vector(back * seen.at(layout.trunk[place]).rotation);
            let (at, weight) = (trunk.at(place), arc::length(bone) / whole);
            // Both ways round, since left and right are alike.
            for (told, turn) in [(told, turn), (told.mirrored(), Side(-1.0).flip_turn(turn))] {
                let side = told.side_features(at).to_vec();
                let features = [told.pitch_features(at).to_vec(), side.clone(), side];
                for ((features, samples), axis) in features.into_iter().zip(&mut samples.trunk).zip(0..3) {
                    samples.push(Value { features, target: turn[axis], weight });
                }
            }
        }
    }

    fn sample_hips(&self, seen: &Seen, floor: f64, samples: &mut Samples) {
        let layout = &self.layout;
        let (hips, head) = (seen.at(layout.hips), seen.at(layout.trunk[layout.trunk.len() - 1]));
        let hands = layout.arms.map(|arm| Some(seen.at(arm?.end).position));
        let (stance, upright, tall) = hips::stance(layout, seen, head, hands, floor);
        let place = upright.conjugate() * (hips.position - head.position) / tall;
        let turn = arc::rotation_vector(upright.conjugate() * hips.rotation);
        let other = Side(-1.0);
        let both = [(stance, place, turn), (stance.mirrored(), other.flip(place), other.flip_turn(turn))];
        for (stance, place, turn) in both {
            for axis in 0..3 {
                let value = |target: f64| Value { features: stance.features().to_vec(), target, weight: 1.0 };
                samples.hips_place[axis].push(value(place[axis]));
                samples.hips_turn[axis].push(value(turn[axis]));
            }
        }
    }
}
