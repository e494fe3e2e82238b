//! The sidecar: what is written reads back as what was recognised, what is said wins, and mistakes have a line.
#![allow(clippy::unwrap_used, reason = "tests")]

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::{BallLimit, Joint, JointSpec, Kind, Skeleton, SkeletonBuilder};
use sinew_gltf::Character;
use sinew_rig::sidecar::{Applied, write};
use sinew_rig::{BodyKind, Evidence, Human, LimbKind, Part, Role, Side, Sidecar, SidecarError, recognize};

fn human() -> Skeleton {
    Character::from_slice(include_bytes!("../../../rigs/human.glb"), None).unwrap().skeleton
}

fn apply(skeleton: &Skeleton, text: &str) -> Result<Applied, SidecarError> {
    let find = |name: &str| skeleton.joint(name).map_err(|error| error.to_string());
    Sidecar::read(text, "hero.sinew.toml")?.apply(&Evidence::of(skeleton), find)
}

fn label(skeleton: &Skeleton) -> impl Fn(Joint) -> String + '_ {
    |joint| skeleton.name(joint).unwrap().to_owned()
}

#[test]
fn what_is_written_reads_back() {
    let skeleton = human();
    let evidence = Evidence::of(&skeleton);
    let found = recognize(&evidence);
    let text = write(&evidence, &found, "human.glb", label(&skeleton));
    let wanted = Human::default().apply(&skeleton, &found).unwrap();
    // As written, and with every line of the preset's made one's own.
    let own: String = text.replace("\n# kind", "\nkind").lines().map(own_line).collect();
    assert!(own.len() < text.len());
    for text in [text, own] {
        let got = apply(&skeleton, &text).unwrap();
        assert!(got.preset && got.recognition.body == BodyKind::Humanoid);
        for (a, b) in found.limbs.iter().zip(&got.recognition.limbs) {
            assert_eq!((a.kind, a.side, a.front), (b.kind, b.side, b.front));
            assert!(a.joints.iter().map(|joint| joint.index()).eq(b.joints.iter().map(|joint| joint.index())));
            assert_eq!((b.confidence, b.reason.as_str()), (1.0, "the sidecar says so"));
        }
        for joint in wanted.iter() {
            let same = got.skeleton.at(joint.index()).unwrap();
            assert_eq!(
                found.role(skeleton.at(joint.index()).unwrap()).map(|guess| guess.role),
                got.recognition.role(same).map(|guess| guess.role)
            );
            let apart = |a: Kind, b: Kind| match (a, b) {
                (Kind::Hinge { axis: a, range: r }, Kind::Hinge { axis: b, range: s }) => {
                    a.distance(b) + (r.max - s.max).abs() + (r.min - s.min).abs()
                }
                (Kind::Ball(BallLimit::EllipticSwing(a)), Kind::Ball(BallLimit::EllipticSwing(b))) => {
                    let apart = |a: Range, b: Range| (a.min - b.min).abs() + (a.max - b.max).abs();
                    let swings = a.swing().into_iter().zip(b.swing()).map(|(a, b)| apart(a, b));
                    a.axis().distance(b.axis())
                        + a.across().distance(b.across())
                        + swings.sum::<f64>()
                        + (a.twist().min - b.twist().min).abs()
                }
                (a, b) => f64::from(u8::from(a != b)),
            };
            let (kind, zero) = (
                apart(wanted.kind(joint), got.skeleton.kind(same)),
                wanted.zero(joint).rotation.angle_between(got.skeleton.zero(same).rotation),
            );
            assert!(kind < 1e-5 && zero < 1e-5, "{:?}: {kind} {zero}", wanted.name(joint));
            assert!((wanted.mass(joint).mass - got.skeleton.mass(same).mass).abs() < 1e-6);
        }
    }
}

/// The line without its comment sign, where it is one of the preset's.
fn own_line(line: &str) -> String {
    let words = ["axis", "range", "swing", "across", "twist", "zero", "bend", "mass", "center"];
    let own = line.strip_prefix("# ").filter(|rest| words.iter().any(|word| rest.starts_with(&format!("{word} = "))));
    format!("{}\n", own.unwrap_or(line))
}

#[test]
fn what_is_said_wins() {
    let skeleton = human();
    let text = r#"
        version = 1
        preset = "human"
        mass = 50
        forward = [0, 0.1, -2]

        [[limb]]
        kind = "tail"
        joints = ["Spine", "Chest"]

        [[limb]]
        kind = "arm"
        side = "right"
        joints = []

        [joint.LeftLowerArm]
        name = "elbow"
        range = [10, 90]
        stiffness = 3
        mass = 2.5
        center = [0, 0.1, 0]

        [joint.LeftHand]
        kind = "ball"
        axis = [0, 2, 0]
        swing = 30
        twist = [-10, 10]
        bend = [0, 0, 3]

        [joint.Head]
        kind = "ball"
        euler = { order = "yxz", x = [-50, 40], y = [-70, 70], z = [-40, 40] }

        [joint.RightFoot]
        role = "none"
        kind = "fixed"

        [joint.LeftUpperArm]
        twist = [-20, 30]
    "#;
    let got = apply(&skeleton, text).unwrap();
    let (rig, found) = (&got.skeleton, &got.recognition);
    assert!(found.forward.distance(DVec3::NEG_Z) < 1e-12);
    assert_eq!(found.limb(LimbKind::Tail, None).unwrap().joints.len(), 2);
    assert!(
        found.limb(LimbKind::Arm, Some(Side::Right)).is_none() && found.limb(LimbKind::Arm, Some(Side::Left)).is_some()
    );
    assert_eq!(found.joint(rig, Role::on(Side::Right, Part::Foot)), None);
    let elbow = rig.joint("elbow").unwrap();
    let Kind::Hinge { range, .. } = rig.kind(elbow) else { panic!("no hinge") };
    assert!((range.min.to_degrees() - 10.0).abs() < 1e-9 && (range.max.to_degrees() - 90.0).abs() < 1e-9);
    assert_eq!((rig.stiffness(elbow), rig.mass(elbow).mass, rig.mass(elbow).center), (3.0, 2.5, DVec3::Y * 0.1));
    let hand = rig.joint("LeftHand").unwrap();
    let Kind::Ball(BallLimit::SwingTwist(cone)) = rig.kind(hand) else { panic!("no cone") };
    assert!(
        cone.axis() == DVec3::Y && (cone.swing().to_degrees() - 30.0).abs() < 1e-9 && rig.bend(hand) == Some(DVec3::Z)
    );
    assert!(matches!(rig.kind(rig.joint("Head").unwrap()), Kind::Ball(BallLimit::Euler(_))));
    assert_eq!(rig.kind(rig.joint("RightFoot").unwrap()), Kind::Fixed);
    let Kind::Ball(BallLimit::EllipticSwing(shoulder)) = rig.kind(rig.joint("LeftUpperArm").unwrap()) else {
        panic!("no ellipse")
    };
    assert!((shoulder.twist().max.to_degrees() - 30.0).abs() < 1e-9 && shoulder.swing()[0].max > 1.5);
    let hips = rig.joint("Hips").unwrap();
    assert!((rig.mass(hips).mass - 0.1117 * 50.0).abs() < 1e-9);
}

#[test]
fn a_robot_arm_of_plain_joints() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base"));
    builder.add(JointSpec::named("turn").child_of(0).translation(DVec3::Y));
    builder.add(JointSpec::named("rail").child_of(1).translation(DVec3::X));
    let skeleton = builder.build().unwrap();
    let text = "version = 1\n[joint.turn]\nkind = \"hinge\"\naxis = [0, 1, 0]\n[joint.rail]\nkind = \"slide\"\naxis = [1, 0, 0]\nrange = [0, 0.5]\n[joint.base]\nkind = \"free\"";
    let rig = apply(&skeleton, text).unwrap().skeleton;
    let kinds: Vec<&str> = rig.iter().map(|joint| rig.kind(joint).name()).collect();
    assert_eq!(kinds, ["free", "hinge", "slide"]);
    assert_eq!(rig.coordinates()[1].range.max, 0.5);
}

#[test]
fn mistakes_have_a_line_and_a_remedy() {
    let skeleton = human();
    for (text, line, says) in [
        ("", 1, "version"),
        ("version = 2", 1, "version 2"),
        ("version = 1\nprset = \"human\"", 2, "prset"),
        ("version = 1\npreset = \"dog\"", 2, "human and none"),
        ("version = 1\nmass = -3\npreset = \"human\"", 2, "mass"),
        ("version = 1\n\nup = [0, 0, 0]", 3, "no direction"),
        ("version = 1\nforward = [0, 0]", 2, "length"),
        ("version = 1\n[joint.Nobody]\nkind = \"ball\"", 2, "Nobody"),
        ("version = 1\n[joint.Head]\nkind = \"balls\"", 3, "fixed, hinge"),
        ("version = 1\n[joint.Head]\nkind = \"hinge\"", 3, "needs an axis"),
        ("version = 1\n[joint.Head]\nrange = [0, 10]", 3, "means nothing"),
        ("version = 1\n[joint.Head]\nkind = \"hinge\"\naxis = [1, 0, 0]\nrange = [10, 0]", 5, "holds nothing"),
        ("version = 1\n[joint.Head]\nkind = \"hinge\"\naxis = [1, 0, 0]\nrange = [nan, 0]", 5, "holds nothing"),
        ("version = 1\n[joint.Head]\nswing = 20", 2, "need the axis"),
        ("version = 1\n[joint.Head]\naxis = [0, 1, 0]\nswing = 200", 4, "0 to 180"),
        ("version = 1\n[joint.Head]\naxis = [0, 1, 0]\nacross = [1, 0, 0]\nswing = [[5, 30], [-9, 9]]", 2, "hold 0"),
        ("version = 1\n[joint.Head]\naxis = [0, 1, 0]\nacross = [1, 0, 0]\nswing = [[30, -5], [-9, 9]]", 5, "30"),
        ("version = 1\n[joint.Head]\naxis = [0, 1, 0]\nswing = [20, 30]", 2, "across"),
        ("version = 1\n[joint.Head]\naxis = [0, 1, 0]\nacross = [0, 1, 0]\nswing = [20, 30]", 2, "differ"),
        ("version = 1\n[joint.Head]\neuler = { order = \"xyx\", x = [0, 1], y = [0, 1], z = [0, 1] }", 3, "order"),
        ("version = 1\n[joint.Head]\nzero = [0, 0, 0, 0]", 3, "no rotation"),
        ("version = 1\n[joint.Head]\nstiffness = 0", 3, "greater than zero"),
        ("version = 1\n[joint.Head]\nrole = \"left nose\"", 3, "no part"),
        ("version = 1\n[joint.Head]\nname = 3", 3, "string"),
        ("version = 1\n[[limb]]\nkind = \"claw\"\njoints = []", 3, "no kind of limb"),
        ("version = 1\n[[limb]]\nkind = \"arm\"\nside = \"up\"\njoints = []", 4, "left or right"),
        ("version = 1\n[[limb]]\nkind = \"arm\"\njoints = [\n\"Hips\",\n\"Nowhere\"]", 6, "Nowhere"),
        ("version = 1\n[joint.Head", 2, ""),
        ("version = 1\n\u{0}", 2, ""),
    ] {
        let error = apply(&skeleton, text).expect_err(text);
        assert_eq!((error.line, error.file.as_str()), (line, "hero.sinew.toml"), "{text}: {error}");
        assert!(error.what.contains(says) && !error.to_string().contains('\n'), "{text}: {error}");
    }
}

#[test]
fn hostile_text_ends_soon() {
    let skeleton = human();
    let mut rng = fastrand::Rng::with_seed(1);
    let evidence = Evidence::of(&skeleton);
    let good = write(&evidence, &recognize(&evidence), "human\n.glb", label(&skeleton));
    assert!(apply(&skeleton, &good).is_ok());
    for _ in 0..crate::cases(300) {
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=rng.usize(..4) {
            let at = rng.usize(..bytes.len());
            bytes[at] = rng.u8(32..127);
        }
        bytes.truncate(rng.usize(bytes.len() / 2..=bytes.len()));
        drop(apply(&skeleton, &String::from_utf8_lossy(&bytes)));
    }
    assert!(apply(&skeleton, &format!("version = 1\nup = {}", "[".repeat(100_000))).is_err());
}
