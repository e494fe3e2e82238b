//! `sinew path` as its users meet it: what it writes is checked by the skeleton's own forward kinematics.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;
use std::path::Path;

use crate::data::data;
use crate::shell::{complaint, object, sinew_in, text};
use sinew::Pose;
use sinew::glam::{DQuat, DVec3};
use sinew_urdf::Robot;

const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/arm6.urdf");

/// A table of joints: its names and its rows.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    (names, reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
}

/// The robot with coordinates by name.
fn posed(robot: &Robot, names: &[String], values: &[f64]) -> Pose {
    let mut pose = robot.skeleton.rest_pose();
    let mut edit = pose.edit(&robot.skeleton);
    for (name, &value) in names.iter().zip(values) {
        let coordinate = robot.coordinate(name).unwrap();
        assert!(robot.skeleton.coordinates()[coordinate].range.contains(value), "{name} {value}");
        edit.coordinate(coordinate, value);
    }
    drop(edit);
    pose
}

fn parsed(row: &[String]) -> Vec<f64> {
    row.iter().map(|x| x.parse().unwrap()).collect()
}

/// A circle with the tool pointing down.
fn circle(angle: f64) -> DVec3 {
    DVec3::new(0.45 + 0.12 * angle.cos(), 0.12 * angle.sin(), 0.3)
}

fn circle_table(head: &str, turn: &str) -> String {
    let mut text = format!("time,x,y,z,{head}\n");
    for i in 0..=100 {
        let at = circle(TAU * f64::from(i) / 100.0);
        let _ = writeln!(text, "{:.2},{},{},{},{turn}", 0.05 * f64::from(i), at.x, at.y, at.z);
    }
    text
}

#[test]
fn a_circle_is_followed_within_the_step_by_the_joints_written() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("circle.csv", &circle_table("qx,qy,qz,qw", "2,0,0,0"));
    write("angles.csv", &circle_table("roll,pitch,yaw", "180,0,0"));
    let run = |file: &str, out: &str| sinew_in(folder.path(), &["path", ARM, file, "-o", out, "--strict"]);
    let page = text(&run("circle.csv", "joints.csv"));
    assert!(page.contains("101 of 101 reached, no jumps; largest step"), "{page}");
    let (names, rows) = table(&folder.path().join("joints.csv"));
    let wanted = ["time", "waist", "shoulder", "elbow", "wrist_roll", "wrist_pitch", "flange_turn"];
    assert_eq!(names[..7], wanted);
    assert_eq!(names[7..], ["jump", "status", "position_error", "rotation_error"]);
    let robot = sinew_urdf::load(ARM).unwrap();
    let tool = robot.link("tool0").unwrap();
    let mut last: Option<Vec<f64>> = None;
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(
            (row[0].clone(), &row[7..9]),
            (format!("{:.2}", 0.05 * i as f64), &["0".to_owned(), "reached".to_owned()][..])
        );
        let values = parsed(&row[1..7]);
        let pose = posed(&robot, &names[1..7], &values);
        assert!(pose.position(tool).distance(circle(TAU * i as f64 / 100.0)) < 1.1e-6);
        assert!(pose.rotation(tool).angle_between(DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0)) < 1e-5);
        if let Some(last) = last {
            assert!(values.iter().zip(&last).all(|(a, b)| (a - b).abs() <= 0.1 + 1e-9));
        }
        last = Some(values);
    }
    assert_eq!(rows.len(), 101);
    text(&run("angles.csv", "angles_joints.csv"));
    let (_, angles) = table(&folder.path().join("angles_joints.csv"));
    for (a, b) in rows.iter().zip(&angles) {
        assert!(parsed(&a[1..7]).iter().zip(parsed(&b[1..7])).all(|(a, b)| (a - b).abs() < 1e-6));
    }
}

#[test]
fn what_is_missed_and_where_the_arm_jumps_is_told_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    // Outwards until the arm is too short, and back in behind it: over the base, where one pose no longer does.
    let ways = (0..=60).map(|i| 0.4 + 0.01 * f64::from(i)).chain([-0.4]);
    let text_of = ways.fold("x,y,z\n".to_owned(), |text, x| text + &format!("{x},0.1,0.4\n"));
    std::fs::write(folder.path().join("out.csv"), text_of).unwrap();
    // Near its longest the elbow is fast.
    let arguments = ["path", ARM, "out.csv", "-o", "joints.csv", "--step", "11.46", "--curves", "joints.svg"];
    let result = object(&sinew_in(folder.path(), &[&arguments[..], &["--json"]].concat()));
    let missed = result["missed"].as_array().unwrap();
    let reached = 62 - missed.len();
    assert_eq!((result["frames"].as_u64(), result["reached"].as_u64()), (Some(62), Some(reached as u64)));
    assert!(missed.len() > 5 && missed.iter().all(|one| one["position_error"].as_f64().unwrap() > 1e-6));
    // The arm's length from the waist's axis, at the shoulder's height: the wrist rolls and turns about its own links.
    let longest = 0.06 + 0.36 + (0.17_f64 + 0.16).hypot(0.045) + 0.075 + 0.02;
    for one in missed {
        let frame = one["frame"].as_u64().unwrap();
        assert_eq!(one["line"].as_u64().unwrap(), frame + 1);
        let way = DVec3::new(0.4 + 0.01 * (frame - 1) as f64, 0.1, 0.4 - 0.12 - 0.17).length();
        assert_eq!(one["status"] == "out_of_reach", way > longest, "{one}");
    }
    let jumps = result["jumps"].as_array().unwrap();
    assert_eq!((jumps.len(), jumps[0]["frame"].as_u64(), jumps[0]["line"].as_u64()), (1, Some(62), Some(63)));
    assert!(jumps[0]["change"].as_f64().unwrap() > 0.2);
    let page = text(&sinew_in(folder.path(), &arguments));
    assert!(page.contains("jump into frame 62 (line 63)") && page.contains("missed frame"), "{page}");
    // More lines than are told, and a table that has them all: it is not asked for again.
    let often = (0..40).map(|i| if i % 2 == 0 { "0.4,0.1,0.4\n" } else { "3,0,0\n" }).collect::<String>();
    std::fs::write(folder.path().join("often.csv"), format!("x,y,z\n{often}")).unwrap();
    let often = ["path", ARM, "often.csv"];
    let more = "and 12 more; -o JOINTS.csv marks them all";
    assert!(text(&sinew_in(folder.path(), &often)).contains(more));
    let page = text(&sinew_in(folder.path(), &[&often[..], &["-o", "often_joints.csv"]].concat()));
    assert!(page.contains("and 12 more; the table marks them all") && !page.contains("-o "), "{page}");
    let (names, rows) = table(&folder.path().join("joints.csv"));
    assert_eq!((names.len(), rows.len(), rows[61][6].as_str(), rows[61][7].as_str()), (10, 62, "1", "reached"));
    let curves = std::fs::read_to_string(folder.path().join("joints.svg")).unwrap();
    assert!(curves.contains(">missed frames<") && curves.contains(">jumps<"), "{curves}");
    let strict = sinew_in(folder.path(), &["path", ARM, "out.csv", "--strict", "--step", "11.46"]);
    assert_eq!(strict.status.code(), Some(3));
}

#[test]
fn a_seed_says_which_way_the_arm_stands_and_a_base_whence_places_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.csv"), "x,y,z,qx,qy,qz,qw\n0.4,0,0.3,1,0,0,0\n").unwrap();
    let run = |more: &[&str]| {
        text(&sinew_in(folder.path(), &[&["path", ARM, "one.csv", "-o", "q.csv"], more].concat()));
        let (names, rows) = table(&folder.path().join("q.csv"));
        (names[..names.len() - 4].to_vec(), parsed(&rows[0][..names.len() - 4]))
    };
    let (_, plain) = run(&[]);
    let (names, turned) = run(&["--seed", "0,17.2,34.4,0,34.4,177.6"]);
    // The flange's other way round, by the seed.
    assert!((plain[5] + PI).abs() < 1e-5 && (turned[5] - PI).abs() < 1e-5, "{plain:?} {turned:?}");
    let robot = sinew_urdf::load(ARM).unwrap();
    let tool = robot.link("tool0").unwrap();
    assert!(posed(&robot, &names, &turned).position(tool).distance(DVec3::new(0.4, 0.0, 0.3)) < 1.1e-6);
    let (names, values) = run(&["--base", "turret", "--tip", "tool0"]);
    assert_eq!(names.len(), 5, "the waist stands still");
    let pose = posed(&robot, &names, &values);
    let seen = pose.model(robot.link("turret").unwrap()).inverse().transform_point3(pose.position(tool));
    assert!(seen.distance(DVec3::new(0.4, 0.0, 0.3)) < 1.1e-6);
}

#[test]
fn pictures_show_the_arm_on_its_way_and_the_joints() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("circle.csv"), circle_table("qx,qy,qz,qw", "1,0,0,0")).unwrap();
    let arguments = ["path", ARM, "circle.csv", "--picture", "film.svg", "--curves", "joints.svg"];
    let page = text(&sinew_in(folder.path(), &arguments));
    assert!(page.contains("film.svg") && page.contains("joints.svg") && !page.contains("nothing written"), "{page}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let (film, joints) = (read("film.svg"), read("joints.svg"));
    for wanted in ["arm6: tool0 along 101 frames", ">0.00<", ">5.00<", ">the arm<"] {
        assert!(film.contains(wanted), "{wanted}");
    }
    for wanted in ["waist", "flange_turn", "angle (degrees)", "time"] {
        assert!(joints.contains(wanted), "{wanted}");
    }
    assert!(!joints.contains("distance (m)"), "nothing slides");
    text(&sinew_in(folder.path(), &["path", ARM, "circle.csv", "--curves", "joints.png", "--picture", "film.png"]));
    for name in ["joints.png", "film.png"] {
        assert_eq!(&std::fs::read(folder.path().join(name)).unwrap()[1..4], b"PNG", "{name}");
    }
}

#[test]
fn hostile_tables_are_refused_in_one_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let garbage: Vec<u8> = (0..4000_u32).map(|i| (i * i % 251) as u8).collect();
    let long = format!("x,y,z\n1,2,{}\n", "9".repeat(100_000));
    let wide = format!("{}\n", "x,".repeat(50_000));
    for (bytes, wanted) in [
        (&b""[..], "bad.csv: it is empty"),
        (b"x,y,z\n1,2,NaN\n", "bad.csv: line 2: column 'z': 'NaN' is no finite number; write"),
        (b"x,y,z\n\n1,2,3\n1,2\n", "line 4: 2 values for 3 columns"),
        (b"x,y,z,qx,qy,qz,qw\n1,2,3,0,0,0,0\n", "a quaternion of length 0 is no rotation; write 0,0,0,1"),
        (b"x,y\n1,2\n", "column 'z' is missing"),
        (b"x,y,z\n\"1,2,3\n4,5,6\n", "1 value for 3 columns"),
        (&garbage, "bad.csv: "),
        (b"glTF\x02\0\0\0", "bad.csv: this is a character (glTF); name a table of frames"),
        (b"<?xml version='1.0'?><robot/>", "bad.csv: this is XML; name a table"),
        (b"\xff\xfex\0,\0y\0,\0z\0", "line 1: is no text in UTF-8; save it as plain CSV"),
        (long.as_bytes(), "line 2: column 'z'"),
        (wide.as_bytes(), "column 'x' is there twice"),
    ] {
        std::fs::write(folder.path().join("bad.csv"), bytes).unwrap();
        let line = complaint(&sinew_in(folder.path(), &["path", ARM, "bad.csv", "-o", "joints.csv"]));
        assert!(line.contains(wanted), "{wanted}: {line}");
        assert!(!folder.path().join("joints.csv").exists());
    }
    std::fs::write(folder.path().join("good.csv"), "x,y,z\n0.4,0,0.4\n").unwrap();
    for (arguments, wanted) in [
        (&["nowhere.csv"][..], "nowhere.csv: cannot be read (No such file or directory"),
        (&["good.csv", "--tip", "tool9"], "--tip 'tool9': no link is called 'tool9'"),
        (&["good.csv", "--step", "0"], "--step 0.0: write"),
        (&["good.csv", "--seed", "1,2"], "--seed: 6 numbers needed"),
        (&["good.csv", "--seed", "1,2,3,4,5,x"], "--seed: 'x' is not a number"),
        (&["good.csv", "--curves", "joints.gif"], "--curves joints.gif"),
        (&["good.csv", "--picture", "film"], "--picture film"),
    ] {
        let line = complaint(&sinew_in(folder.path(), &[&["path", ARM], arguments].concat()));
        assert!(line.contains(wanted), "{arguments:?}: {line}");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_arms_follow_what_their_own_joints_did() {
    let data = data();
    let data = data.display();
    let folder = tempfile::tempdir().unwrap();
    for (file, tip) in [
        ("ur5e", "tool0"),
        ("panda", "panda_hand"),
        ("fetch", "gripper_link"),
        ("baxter", "left_gripper"),
        ("iiwa14", "lbr_iiwa_link_7"),
    ] {
        let path = format!("{data}/urdf/{file}.urdf");
        let robot = sinew_urdf::load(&path).unwrap();
        let (skeleton, link) = (&robot.skeleton, robot.link(tip).unwrap());
        let mut pose = skeleton.neutral_pose();
        let mut frames = "x,y,z,qx,qy,qz,qw\n".to_owned();
        for moment in 0..=80 {
            let mut edit = pose.edit(skeleton);
            for (coordinate, one) in skeleton.coordinates().iter().enumerate() {
                let (low, high) = (one.range.min.max(-1.0), one.range.max.min(1.0));
                let share = 0.5 + 0.2 * (0.05 * f64::from(moment) + coordinate as f64).sin();
                edit.coordinate(coordinate, low.min(high) + (high - low).abs() * share);
            }
            drop(edit);
            let (at, turn) = (pose.position(link), pose.rotation(link));
            let _ = writeln!(frames, "{},{},{},{},{},{},{}", at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w);
        }
        std::fs::write(folder.path().join("frames.csv"), frames).unwrap();
        let result = object(&sinew_in(folder.path(), &["path", &path, "frames.csv", "--tip", tip, "--json"]));
        assert_eq!(
            (result["reached"].as_u64(), result["jumps"].as_array().unwrap().len()),
            (Some(81), 0),
            "{file}: {result}"
        );
    }
    // A rotation that is within tolerance is no distance.
    std::fs::write(folder.path().join("high.csv"), "x,y,z,roll,pitch,yaw\n0.35,0.1,1.9,0,0,0\n").unwrap();
    let page = text(&sinew_in(folder.path(), &["path", &format!("{data}/urdf/puma560.urdf"), "high.csv"]));
    let told = "the arm is too short for this position and rotation; the nearest pose is up to 1.058 m away\n";
    assert!(page.contains(told), "{page}");
    let baxter = format!("{data}/urdf/baxter.urdf");
    let line = complaint(&sinew_in(folder.path(), &["path", &baxter, "frames.csv"]));
    assert!(line.contains("name one of them"), "{line}");
}

/// An arm that stays in a plane: beside it no limit is the cause, in it one may be.
#[test]
fn limits_are_blamed_only_where_they_are_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let joint = |number: usize| {
        format!(
            "<link name='l{number}'/><joint name='j{number}' type='revolute'><parent link='l{}'/><child link='l{number}'/>\
             <origin xyz='{} 0 0'/><axis xyz='0 0 1'/><limit lower='-1.5' upper='1.5' effort='1' velocity='1'/></joint>",
            number - 1,
            i32::from(number != 1)
        )
    };
    let joints: String = (1..=3).map(joint).collect();
    let tip = "<link name='tip'/><joint name='end' type='fixed'><parent link='l3'/><child link='tip'/><origin xyz='1 0 0'/></joint>";
    std::fs::write(
        folder.path().join("flat.urdf"),
        format!("<robot name='flat'><link name='l0'/>{joints}{tip}</robot>"),
    )
    .unwrap();
    std::fs::write(folder.path().join("frames.csv"), "x,y,z\n-1.9,0.1,0\n0.5,0.1,0.4\n").unwrap();
    let page = text(&sinew_in(folder.path(), &["path", "flat.urdf", "frames.csv"]));
    assert!(page.contains("missed frame 1 (line 2): limits stand in the way; "), "{page}");
    assert!(page.contains("missed frame 2 (line 3): no pose found, without limits either; "), "{page}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_real_arm_in_a_plane_blames_no_limits() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("off.csv"), "x,y,z\n0.5,0.1,0.3\n").unwrap();
    let planar = data().join("urdf/planar_3dof.urdf").display().to_string();
    let page = text(&sinew_in(folder.path(), &["path", &planar, "off.csv"]));
    assert!(page.contains("no pose found, without limits either") && !page.contains("stand in the way"), "{page}");
}

#[test]
fn what_is_missed_is_told_in_plain_words_and_values_keep_to_the_step() {
    let folder = tempfile::tempdir().unwrap();
    // In reach, then below the arm's own base, where no lengths forbid it, then far away.
    let frames = "x,y,z\n0.4,0.1,0.4\n0.1,0.0,-0.35\n0.1,0.0,-0.36\n3,0,0.4\n";
    std::fs::write(folder.path().join("out.csv"), frames).unwrap();
    let arguments = ["path", ARM, "out.csv", "-o", "joints.csv"];
    let page = text(&sinew_in(folder.path(), &arguments));
    assert!(page.contains("4 frames for tool0, in the frame of base\n"), "{page}");
    // Each reason has a line of its own.
    for (frames, reason) in
        [("frames 2 to 3 (lines 3 to 4)", "limits stand in the way"), ("frame 4 (line 5)", "the arm is too short")]
    {
        assert!(page.contains(&format!("missed {frames}: {reason}; the nearest pose is up to ")), "{page}");
    }
    assert!(!page.contains("stalled") && !page.contains("out_of_reach"), "{page}");
    let (names, rows) = table(&folder.path().join("joints.csv"));
    // The errors are those of the values that stand beside them.
    let robot = sinew_urdf::load(ARM).unwrap();
    let tip = robot.skeleton.joint("tool0").unwrap();
    let told = object(&sinew_in(folder.path(), &[&arguments[..], &["--json"]].concat()));
    let asked = [[0.4, 0.1, 0.4], [0.1, 0.0, -0.35], [0.1, 0.0, -0.36], [3.0, 0.0, 0.4]].map(DVec3::from_array);
    for (frame, one) in told["missed"].as_array().unwrap().iter().enumerate() {
        let row = &rows[frame + 1];
        let stands = posed(&robot, &names[..6], &parsed(&row[..6])).position(tip);
        let (off, told) = (stands.distance(asked[frame + 1]), one["position_error"].as_f64().unwrap());
        assert!((told - off).abs() < 1e-9, "{one}: {off}");
        assert!((row[8].parse::<f64>().unwrap() - off).abs() < 0.01 * off, "{row:?}: {off}");
    }
    let values: Vec<Vec<f64>> = rows.iter().map(|row| parsed(&row[..6])).collect();
    let steps = values.windows(2).flat_map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()));
    assert!(steps.fold(0.0, f64::max) < 5.73_f64.to_radians() * 1.000_001);
    let help = text(&sinew_in(folder.path(), &["path", "--help"]));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("within --step of the line before") && !help.contains("change much"), "{help}");
}
