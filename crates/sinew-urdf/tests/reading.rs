//! What URDF says and what becomes of it.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::f64::consts::{FRAC_PI_2, PI};

use sinew::glam::{DMat3, DQuat, DVec3};
use sinew::limit::Range;
use sinew::{Kind, NameError};
use sinew_urdf::{Robot, parse};

/// A robot of links a, b, c, d with the joints given.
fn robot(joints: &str) -> Robot {
    let links = "<link name='a'/><link name='b'/><link name='c'/><link name='d'/>";
    let used = ["'b'", "'c'", "'d'"].iter().filter(|link| joints.contains(*link)).count();
    let links: String = links.split_inclusive("/>").take(used + 1).collect();
    parse(&format!("<robot name='r'>{links}{joints}</robot>")).unwrap()
}

/// A joint j from a to b.
fn joint(kind: &str, inside: &str) -> Robot {
    robot(&format!("<joint name='j' type='{kind}'><parent link='a'/><child link='b'/>{inside}</joint>"))
}

fn kind(robot: &Robot, joint: &str) -> Kind {
    robot.skeleton.kind(robot.child_of(joint).unwrap())
}

const LIMIT: &str = "<limit lower='-1' upper='2' effort='0' velocity='0'/>";

#[test]
fn what_is_missing_is_what_the_specification_says() {
    let bare = joint("revolute", "<limit effort='1' velocity='1'/>");
    assert_eq!(kind(&bare, "j"), Kind::hinge(DVec3::X).within(0.0, 0.0));
    assert_eq!(bare.skeleton.rest(bare.link("b").unwrap()).to_affine(), sinew::Transform::IDENTITY.to_affine());
    assert!(bare.notes()[0].starts_with("URDF:1: <joint name=\"j\">: ") && bare.notes().len() == 1);
    assert_eq!(kind(&joint("prismatic", "<limit upper='2'/>"), "j"), Kind::slide(DVec3::X).within(0.0, 2.0));
    // Limits of continuous joints and axes of fixed ones do not count.
    assert_eq!(kind(&joint("continuous", LIMIT), "j"), Kind::hinge(DVec3::X));
    assert_eq!(kind(&joint("fixed", "<axis xyz='0 0 0'/><limit lower='2' upper='1'/>"), "j"), Kind::Fixed);
    assert!(joint("continuous", "").notes().is_empty());
}

#[test]
fn axes_are_made_unit() {
    let Kind::Hinge { axis, .. } = kind(&joint("continuous", "<axis xyz='0 3e200 -4e200'/>"), "j") else { panic!() };
    assert!(axis.distance(DVec3::new(0.0, 0.6, -0.8)) < 1e-15);
}

#[test]
fn rpy_turns_about_fixed_axes_in_turn() {
    let turn = |axis: usize, angle: f64| {
        let (s, c) = angle.sin_cos();
        let (mut columns, (i, j)) = ([DVec3::X, DVec3::Y, DVec3::Z], ((axis + 1) % 3, (axis + 2) % 3));
        columns[i] = DVec3::AXES[i] * c + DVec3::AXES[j] * s;
        columns[j] = DVec3::AXES[j] * c - DVec3::AXES[i] * s;
        DMat3::from_cols(columns[0], columns[1], columns[2])
    };
    for rpy in [[0.3, -0.4, 2.0], [0.3, FRAC_PI_2, -0.4], [-PI, 0.0, 7.0], [1e-9, -FRAC_PI_2, 1e9]] {
        let [roll, pitch, yaw] = rpy;
        let robot = joint("fixed", &format!("<origin rpy='{roll} {pitch} {yaw}' xyz='1 2 3'/>"));
        let model = *robot.skeleton.rest_pose().model(robot.link("b").unwrap());
        let expected = turn(2, yaw) * turn(1, pitch) * turn(0, roll);
        assert!(model.matrix3.abs_diff_eq(expected, 1e-14), "{rpy:?}");
        assert_eq!(model.translation, DVec3::new(1.0, 2.0, 3.0));
    }
    // The quaternion of newer files, of any length.
    let robot = joint("fixed", "<origin quat_xyzw='0 0 2 2'/>");
    let rotation = robot.skeleton.rest(robot.link("b").unwrap()).rotation;
    assert!(rotation.dot(DQuat::from_rotation_z(FRAC_PI_2)) > 1.0 - 1e-15);
}

#[test]
fn a_planar_joint_moves_in_the_plane_across_its_axis() {
    for axis in ["0 0 1", "0 0 -2", "1 0 0", "0 1 0", "1 -2 0.3"] {
        let robot = joint("planar", &format!("<origin xyz='1 2 3' rpy='0.4 0.5 -0.6'/><axis xyz='{axis}'/>"));
        let names: Vec<_> = robot.skeleton.coordinates().iter().map(|c| c.name.as_deref().unwrap()).collect();
        assert_eq!(names, ["j/x", "j/y", "j/theta"]);
        assert_eq!((robot.skeleton.len(), robot.tips().count()), (4, 1));
        let link = robot.link("b").unwrap();
        assert_eq!(robot.child_of("j"), Some(link));
        let mut pose = robot.skeleton.rest_pose();
        let rest = *pose.model(link);
        let axis: Vec<f64> = axis.split(' ').map(|x| x.parse().unwrap()).collect();
        let normal = rest.matrix3 * DVec3::from_slice(&axis).normalize();
        pose.edit(&robot.skeleton).coordinate(0, 0.3).coordinate(1, -0.4).coordinate(2, 0.9);
        let way = pose.position(link) - rest.translation;
        assert!(way.dot(normal).abs() < 1e-15 && (way.length() - 0.5).abs() < 1e-15);
        let turn = pose.rotation(link) * DQuat::from_mat3(&rest.matrix3).conjugate();
        assert!(turn.dot(DQuat::from_axis_angle(normal, 0.9)).abs() > 1.0 - 1e-14);
        // x, y and the normal are right-handed.
        let along = |q: [f64; 2]| {
            let mut pose = robot.skeleton.rest_pose();
            pose.edit(&robot.skeleton).coordinate(0, q[0]).coordinate(1, q[1]);
            pose.position(link) - rest.translation
        };
        assert!(along([1.0, 0.0]).cross(along([0.0, 1.0])).distance(normal) < 1e-14);
    }
    let upright = joint("planar", "<axis xyz='0 0 1'/>");
    let mut pose = upright.skeleton.rest_pose();
    pose.edit(&upright.skeleton).coordinate(0, 0.3).coordinate(1, -0.4);
    assert_eq!(pose.position(upright.link("b").unwrap()), DVec3::new(0.3, -0.4, 0.0));
}

/// Three joints in a row, of which the later mimic.
fn row(first: &str, second: &str, third: &str) -> Robot {
    let joint = |name: &str, parent: &str, child: &str, rest: &str| {
        format!(
            "<joint name='{name}' {rest}<parent link='{parent}'/><child link='{child}'/><axis xyz='0 0 1'/></joint>"
        )
    };
    // The followers come first.
    robot(
        &[joint("third", "c", "d", third), joint("second", "b", "c", second), joint("first", "a", "b", first)].concat(),
    )
}

fn value(robot: &Robot, joint: &str, q: f64) -> f64 {
    let mut pose = robot.skeleton.rest_pose();
    pose.edit(&robot.skeleton).coordinate(0, q);
    pose.value(&robot.skeleton, robot.child_of(joint).unwrap())
}

#[test]
fn mimics_follow_through_chains() {
    let limited = |mimic: &str| format!("type='revolute'><limit lower='-2' upper='2'/><mimic {mimic}/>");
    let robot = row(
        "type='continuous'>",
        &limited("joint='first' multiplier='-2' offset='0.5'"),
        &limited("joint='second' offset='0.25'"),
    );
    assert_eq!(robot.skeleton.coordinates().len(), 1);
    assert_eq!(robot.coordinate("first"), Some(0));
    assert_eq!((robot.coordinate("second"), robot.coordinate("d")), (None, None));
    for q in [-1.0, 0.0, 0.3] {
        assert!((value(&robot, "second", q) - (0.5 - 2.0 * q)).abs() < 1e-15);
        assert!((value(&robot, "third", q) - (0.75 - 2.0 * q)).abs() < 1e-15);
    }
    // -2 <= 0.75 - 2 q <= 2 is narrower than the second's.
    let range = robot.skeleton.coordinates()[0].range;
    assert!((range.min + 0.625).abs() < 1e-15 && (range.max - 1.25).abs() < 1e-15, "{range:?}");
    // At rest the followers are at their offsets, as frames and as values.
    let rest = robot.skeleton.rest_pose();
    assert_eq!(rest.coordinates(), [0.0]);
    let turned = DQuat::from_rotation_z(0.5 + 0.75);
    assert!(rest.rotation(robot.link("d").unwrap()).dot(turned) > 1.0 - 1e-15);
}

#[test]
fn what_follows_nothing_that_moves_is_fixed_at_its_offset() {
    let slide = |mimic: &str| format!("type='prismatic'><limit lower='-9' upper='9'/><mimic {mimic}/>");
    let on_fixed = row("type='fixed'>", &slide("joint='first' offset='0.5'"), &slide("joint='second' multiplier='3'"));
    let by_zero = row(
        "type='continuous'>",
        &slide("joint='first' multiplier='0' offset='0.5'"),
        &slide("joint='second' multiplier='3'"),
    );
    for robot in [&on_fixed, &by_zero] {
        assert_eq!((kind(robot, "second"), kind(robot, "third")), (Kind::Fixed, Kind::Fixed));
        assert_eq!(robot.skeleton.rest_pose().position(robot.link("d").unwrap()), DVec3::Z * 2.0);
    }
    assert_eq!((on_fixed.skeleton.coordinates().len(), by_zero.skeleton.coordinates().len()), (0, 1));
}

#[test]
fn a_long_chain_of_mimics_is_no_danger() {
    let count = 20_000;
    let links: Vec<String> = (0..=count).map(|i| format!("<link name='l{i}'/>")).collect();
    let joint = |i: usize| {
        let mimic = if i + 1 < count { format!("<mimic joint='j{}'/>", i + 1) } else { String::new() };
        let ends = format!("<parent link='l{i}'/><child link='l{}'/>", i + 1);
        format!("<joint name='j{i}' type='continuous'>{ends}{mimic}</joint>")
    };
    let joints: Vec<String> = (0..count).map(joint).collect();
    let start = std::time::Instant::now();
    let robot = parse(&format!("<robot name='r'>{}{}</robot>", links.concat(), joints.concat())).unwrap();
    assert_eq!(robot.skeleton.coordinates().len(), 1);
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
}

#[test]
fn inertials_are_masses() {
    let robot = parse(
        "<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='1 1 1'/><mass value='2.5'/></inertial></link>
         <link name='b'><inertial><mass value='0'/></inertial></link><link name='c'/>
         <joint name='j' type='planar'><parent link='a'/><child link='b'/></joint>
         <joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
    )
    .unwrap();
    let mass = |link: &str| robot.skeleton.mass(robot.link(link).unwrap());
    assert_eq!((mass("a").mass, mass("a").center), (2.5, DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!((mass("b").mass, mass("b").center, mass("c").mass), (0.0, DVec3::ZERO, 0.0));
}

#[test]
fn floating_links_are_free_and_have_no_coordinate() {
    let robot = joint("floating", "<axis xyz='0 0 0'/>");
    assert_eq!((kind(&robot, "j"), robot.coordinate("j")), (Kind::Free, None));
}

#[test]
fn names_are_found() {
    let text = include_str!("../../../rigs/arm6.urdf");
    let robot = parse(text).unwrap();
    assert_eq!(robot.name, "arm6");
    let order = ["waist", "shoulder", "elbow", "wrist_roll", "wrist_pitch", "flange_turn", "flange-tool0"];
    assert_eq!(robot.joint_names().collect::<Vec<_>>(), order);
    assert!(robot.joints().map(|(name, link)| (name, Some(link))).eq(order.map(|name| (name, robot.child_of(name)))));
    assert_eq!(robot.coordinate("elbow"), Some(2));
    assert_eq!((robot.coordinate("flange-tool0"), robot.child_of("spleen")), (None, None));
    let tool = robot.link("tool0").unwrap();
    assert_eq!(robot.tips().collect::<Vec<_>>(), [tool]);
    assert_eq!(robot.skeleton.name(robot.base()), Some("base"));
    let Err(NameError::Unknown { nearest, .. }) = robot.link("tol0") else { panic!() };
    assert_eq!(nearest[0], "tool0");
    assert_eq!(robot.skeleton.coordinates()[4].range, Range::new(-2.09, 2.09));
}

#[test]
fn text_may_come_in_odd_dress() {
    let plain = "<robot name='r'>\n<link name='a'/>\n<link name='β'/>\n<joint name='j' type='fixed'>\
                 <parent link='a'/><child link='β'/></joint>\n</robot>";
    let declared = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?>\n{plain}");
    let dressed = [
        plain.to_owned(),
        format!("\u{feff}{}", declared("utf-8")),
        declared("UTF-8").replace('\n', "\r\n"),
        format!("<!-- <link name='a'/> -->\n{plain}<!-- end --> \n"),
        plain.replace("name='r'", "name='r' xmlns='http://www.ros.org' xmlns:xacro='http://www.ros.org/wiki/xacro'"),
        plain.replace("'β'", "'&#x3B2;'"),
        plain.replace(
            "<link name='a'/>",
            "<gazebo:link name='a'/><link name='a'><visual><link name='a'/></visual></link>",
        ),
        plain.replace("</robot>", "<gazebo><joint name='j' type='odd'/></gazebo><transmission name='t'/>a & b</robot>"),
    ];
    for text in dressed {
        let robot = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(robot.link("β").is_ok() && robot.skeleton.len() == 2, "{text}");
    }
}

#[test]
fn degrees_are_noticed() {
    assert_eq!(joint("revolute", "<limit lower='-170' upper='170'/>").notes().len(), 1);
    assert!(joint("revolute", "<limit lower='-6.2831853' upper='6.2831853'/>").notes().is_empty());
    assert!(joint("prismatic", "<limit lower='-170' upper='170'/>").notes().is_empty());
}
