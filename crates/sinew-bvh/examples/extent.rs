//! How long a clip is and how far it goes: `cargo run --release -p sinew-bvh --example extent CLIP.bvh`; without a file, a
//! small one of the tests.

use sinew::glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/orders.bvh");
    let path = std::env::args().nth(1).unwrap_or_else(|| own.to_owned());
    let start = std::time::Instant::now();
    let clip = sinew_bvh::load(&path)?;
    let (motion, loaded) = (&clip.motion, start.elapsed());
    let mut pose = clip.skeleton.rest_pose();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for frame in 0..motion.len() {
        clip.pose_frame(frame, &mut pose);
        for joint in clip.skeleton.iter() {
            (low, high) = (low.min(pose.position(joint)), high.max(pose.position(joint)));
        }
    }
    let seconds = motion.len() as f64 * motion.frame_time;
    println!("{} joints, {} frames, {seconds:.2} s, read in {loaded:.2?}", clip.skeleton.len(), motion.len());
    println!("from {low:.3} to {high:.3}");
    Ok(())
}
