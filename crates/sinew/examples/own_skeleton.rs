//! An engine with a skeleton of its own: pure functions on its positions, in `f32`.

use sinew::glam::{Quat, Vec3};
use sinew::solve::two_bone::{self, Limb};

fn main() {
    // World positions as an engine has them.
    let (shoulder, elbow, wrist) = (Vec3::new(0.2, 1.4, 0.0), Vec3::new(0.45, 1.25, 0.0), Vec3::new(0.68, 1.2, 0.1));
    let limb = Limb { root: shoulder.into(), mid: elbow.into(), tip: wrist.into() };
    for target in [Vec3::new(0.4, 1.6, 0.3), Vec3::new(0.3, 1.2, 0.1), Vec3::new(2.0, 1.4, 0.0)] {
        let turns = two_bone::bend(&limb, target.into(), Vec3::new(0.4, 0.0, -1.0));
        // Turn the upper arm, then the forearm that came along with it.
        let (upper, fore): (Quat, Quat) = (turns.root.as_quat(), turns.mid.as_quat());
        let new_elbow = shoulder + upper * (elbow - shoulder);
        let new_wrist = new_elbow + fore * (upper * (wrist - elbow));
        println!(
            "target {target}: wrist at {new_wrist:.3}, {} ({:.6} m off)",
            turns.status,
            new_wrist.distance(target)
        );
    }
}
