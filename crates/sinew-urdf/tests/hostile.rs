//! Broken files: an error of one line that names element and line, or a robot; never a panic, never long.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use sinew_urdf::{LoadError, parse};

/// A whole robot, a line an element.
const GOOD: &str = "<robot name='r'>
<link name='a'/>
<link name='b'><inertial>
<origin xyz='1 2 3'/>
<mass value='1'/></inertial></link>
<link name='c'/>
<joint name='j' type='revolute'>
<parent link='a'/>
<child link='b'/>
<origin xyz='0 0 1' rpy='0 0.5 0'/>
<axis xyz='0 0 1'/>
<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>
<joint name='k' type='continuous'>
<parent link='b'/>
<child link='c'/>
<mimic joint='j' multiplier='2' offset='0.1'/></joint>
</robot>
";

/// A change to the good robot, and the line, element and words that the error must name.
fn refused(from: &str, to: &str, line: usize, element: &str, words: &str) {
    assert!(GOOD.contains(from), "{from}");
    said(&GOOD.replacen(from, to, 1), line, element, words);
}

fn said(text: &str, line: usize, element: &str, words: &str) {
    let error = parse(text).expect_err(text).to_string();
    assert!(error.starts_with(&format!("URDF:{line}: {element}: ")), "{error}\nwanted {line}: {element}");
    assert!(error.contains(words), "{error}\nwanted {words}");
    assert!(error.contains("; ") && error.lines().count() == 1, "{error}");
}

#[test]
fn the_good_one_is_good() {
    assert_eq!(parse(GOOD).unwrap().skeleton.len(), 3);
}

#[test]
fn numbers_that_are_none() {
    let (j, limit) = ("<joint name=\"j\">", "<limit> in <joint name=\"j\">");
    for (number, words) in [
        ("nan", "not finite"),
        ("-inf", "not finite"),
        ("1e999", "not finite"),
        ("0,5", "with a point"),
        ("", "less than 1"),
        ("1 2", "more than 1"),
        ("0x10", "no number"),
        ("1.5rad", "no number"),
        ("٣", "no number"),
    ] {
        refused("lower='-1'", &format!("lower='{number}'"), 12, limit, words);
    }
    refused("xyz='0 0 1' rpy", "xyz='0 0' rpy", 10, &format!("<origin> in {j}"), "less than 3");
    refused("rpy='0 0.5 0'", "rpy='0,0.5,0'", 10, &format!("<origin> in {j}"), "rpy=\"0,0.5,0\"");
    refused("rpy=", "quat_xyzw='0 0 0 0' old=", 10, &format!("<origin> in {j}"), "no length");
    refused("rpy=", "quat_xyzw='0 0 0 1' rpy=", 10, &format!("<origin> in {j}"), "both");
    refused("<axis xyz='0 0 1'/>", "<axis xyz='0 -0 0'/>", 11, &format!("<axis> in {j}"), "no direction");
    refused("<axis xyz='0 0 1'/>", "<axis/>", 11, &format!("<axis> in {j}"), "xyz is missing");
    refused("upper='1'", "upper='-2'", 12, limit, "above");
    refused("lower='-1' upper='1'", "lower='1'", 12, limit, "upper 0");
    refused("multiplier='2'", "multiplier='two'", 16, "<mimic> in <joint name=\"k\">", "no number");
    let inertial = "<inertial> in <link name=\"b\">";
    refused("value='1'", "value='-1'", 5, &format!("<mass> in {inertial}"), "negative");
    refused("value='1'", "mass='1'", 5, &format!("<mass> in {inertial}"), "value is missing");
    refused("<mass value='1'/>", "", 3, inertial, "<mass> is missing");
    refused("xyz='1 2 3'", "xyz='1 2 x'", 4, &format!("<origin> in {inertial}"), "no number");
    // Finite, but not when multiplied.
    let far = GOOD.replace("xyz='0 0 1' rpy='0 0.5 0'", "xyz='0 0 1.5e308'");
    let further = far.replace("<child link='c'/>", "<child link='c'/><origin xyz='0 0 1.5e308'/>");
    said(&further, 13, "<joint name=\"k\">", "overflows");
    let far = "multiplier='1e308' offset='0.1'/></joint><link name='d'/>\n<joint name='l' type='continuous'>\
               <parent link='c'/><child link='d'/>\n<mimic joint='k' multiplier='1e308'/>";
    refused("multiplier='2' offset='0.1'/>", far, 18, "<mimic> in <joint name=\"l\">", "beyond all numbers");
}

#[test]
fn names_that_are_missing_or_lead_nowhere() {
    let j = "<joint name=\"j\">";
    refused("<link name='c'/>", "<link/>", 6, "<link>", "name is missing");
    refused("<link name='c'/>", "<link name=''/>", 6, "<link name=\"\">", "empty");
    refused("<link name='c'/>", "<link name='a'/>", 6, "<link name=\"a\">", "on line 2");
    refused("name='k'", "name='j'", 13, j, "on line 7");
    refused("<robot name='r'>", "<robot>", 1, "<robot>", "name is missing");
    refused(" type='revolute'", "", 7, j, "type is missing");
    refused("'revolute'", "'Revolute'", 7, j, "the types are");
    refused("<parent link='a'/>", "", 7, j, "<parent> is missing");
    refused("<child link='b'/>", "<child/>", 9, &format!("<child> in {j}"), "link is missing");
    refused("<parent link='a'/>", "<parent link='A'/>", 7, j, "\"A\"");
    refused("<limit lower='-1' upper='1' effort='1' velocity='1'/>", "", 7, j, "make the joint continuous");
    let mimic = "<mimic> in <joint name=\"k\">";
    refused("<mimic joint='j'", "<mimic", 16, mimic, "joint is missing");
    refused("<mimic joint='j'", "<mimic joint='k'", 16, mimic, "mimics it in turn");
    refused("<axis xyz='0 0 1'/>", "<mimic joint='k'/>", 11, &format!("<mimic> in {j}"), "in turn");
    refused("'revolute'", "'planar'", 16, mimic, "several values");
    refused("'continuous'", "'floating'", 16, mimic, "cannot mimic");
    let far_off = "<limit lower='5' upper='6'/><mimic joint='j'/>";
    let text = GOOD.replace("'continuous'", "'revolute'");
    said(
        &text.replace("<mimic joint='j' multiplier='2' offset='0.1'/>", far_off),
        13,
        "<joint name=\"k\">",
        "no value",
    );
}

/// As urdfdom has it.
#[test]
fn a_mimic_of_a_missing_joint_is_a_note_and_a_joint_of_its_own() {
    let robot = parse(&GOOD.replace("<mimic joint='j'", "<mimic joint='J'")).unwrap();
    assert_eq!(robot.skeleton.coordinates().len(), 2);
    assert!(robot.coordinate("k").is_some());
    let notes = robot.notes();
    assert!(notes.len() == 1 && notes[0].contains("\"J\", which does not exist"), "{notes:?}");
    assert!(parse(GOOD).unwrap().notes().is_empty());
}

/// Characters that no XML may have, as themselves and by number; others that look odd are names.
#[test]
fn names_with_characters_that_are_none() {
    refused("<link name='c'/>", "<link name='c\u{0}'/>", 6, "<link>", "U+0000");
    refused("<link name='c'/>", "<link name='c&#0;'/>", 6, "<link>", "name");
    refused("<link name='c'/>", "<link name='c&#8;'/>", 6, "<link>", "U+0008");
    refused("name='k'", "name='\u{1}k'", 13, "<joint>", "U+0001");
    refused("name='k'", "name='k\u{ffff}'", 13, "<joint>", "U+FFFF");
    refused("<mimic joint='j'", "<mimic joint='j\u{0}'", 16, "<mimic>", "U+0000");
    let odd = GOOD.replace("'c'", "'\u{e9}\u{7f}\u{1f9b4}'");
    assert_eq!(parse(&odd).unwrap().skeleton.len(), 3);
}

#[test]
fn what_is_no_tree() {
    refused("<child link='b'/>", "<child link='a'/>", 7, "<joint name=\"j\">", "on itself");
    let twice =
        GOOD.replace("<parent link='b'/>", "<parent link='a'/>").replace("<child link='c'/>", "<child link='b'/>");
    said(&twice, 13, "<joint name=\"k\">", "of <joint name=\"j\"> on line 7");
    refused(
        "<link name='c'/>",
        "<link name='c'/><link name='d'/>",
        6,
        "<link name=\"d\">",
        "<link name=\"a\"> on line 2",
    );
    // A loop without a root, and one beside a root.
    let two = |inside: &str| {
        format!(
            "<robot name='r'>\n{inside}<link name='a'/><link name='b'/>
<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>
<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>"
        )
    };
    for text in [two(""), two("<link name='w'/>")] {
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.contains("closed loop") && error.contains("<joint name="), "{error}");
    }
    said("<robot name='r'>\n</robot>", 1, "<robot name=\"r\">", "no <link>");
}

#[test]
fn what_is_no_urdf() {
    for (text, line, element, words) in [
        ("", 1, "document", "no element"),
        (" \n\n", 1, "document", "no element"),
        ("\n\nhello", 3, "document", "\"hello\""),
        ("{\"a\": 1}", 1, "document", "outermost element is <robot>"),
        ("version https://git-lfs.github.com/spec/v1\n", 1, "document", "git lfs pull"),
        ("\n<sdf version='1.9'/>", 2, "<sdf>", "SDF"),
        ("<mujoco/>", 1, "<mujoco>", "MJCF"),
        ("<!-- x -->\n<html></html>", 2, "<html>", "raw file"),
        ("<robot name='r'><link name='a'/>\n<joint", 2, "<robot>", ""),
        ("<robot name='r'>\n<link name='a'>\n", 2, "<link>", "never closed"),
        ("<robot name='r'>\n<link name='a'></joint></robot>", 2, "<link>", "</joint>"),
        ("<robot name='r'><link name='a'/></robot>\n<robot/>", 2, "<robot>", "second"),
        ("<robot name='r'><link name='a'/></robot>\nmore", 2, "document", "\"more\""),
        ("<robot name='r'>\n<link name='a' name='b'/></robot>", 2, "<link name=\"a\">", "duplicate"),
        ("<robot name='r'>\n<link name='&who;'/></robot>", 2, "<link>", "who"),
        ("<robot name='r'>\n<link name=a/></robot>", 2, "<link>", ""),
        ("<!DOCTYPE robot>\n<robot name='r'><link name='a'/></robot>", 1, "<!DOCTYPE>", "delete it"),
    ] {
        said(text, line, element, words);
    }
}

#[test]
fn xacro_is_refused_with_advice() {
    let run = "xacro robot.xacro > robot.urdf";
    refused("<link name='c'/>", "<xacro:macro name='m'/>", 6, "<xacro:macro>", run);
    refused("<origin xyz='1 2 3'/>", "<visual>\n<xacro:box/></visual>", 5, "<xacro:box>", run);
    refused("value='1'", "value='${m * 2}'", 5, "<mass> in <inertial> in <link name=\"b\">", run);
    refused("link='a'", "link='$(arg prefix)a'", 8, "<parent> in <joint name=\"j\">", run);
    refused("<link name='c'/>", "<link name='${side}'/>", 6, "<link name=\"${side}\">", run);
}

#[test]
fn files_that_are_no_text() {
    let load = |name: &str, bytes: &[u8]| {
        let path = std::env::temp_dir().join(format!("sinew-urdf-{}-{name}", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(bytes).unwrap();
        let loaded = sinew_urdf::load(&path);
        std::fs::remove_file(&path).unwrap();
        loaded.map_err(|error| error.to_string())
    };
    let utf16: Vec<u8> = "\u{feff}<robot name='r'/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(load("utf16", &utf16).unwrap_err().contains("UTF-16; save the file as UTF-8"));
    let latin = GOOD.replace("'c'", "'\u{e9}'").chars().map(|c| c as u8).collect::<Vec<_>>();
    let error = load("latin", &latin).unwrap_err();
    assert!(error.contains(":6: document: byte ") && error.contains("is not UTF-8"), "{error}");
    assert!(load("nul", &[0; 100]).is_err());
    assert!(load("good", GOOD.as_bytes()).is_ok());
    assert!(matches!(sinew_urdf::load("/no/such/file.urdf"), Err(LoadError::Read { .. })));
}

/// A link that hangs on the one before by a joint worth a note.
fn stuck(i: usize) -> String {
    let (parent, child) = (i, i + 1);
    format!(
        "<link name='l{child}'/><joint name='{i}' type='revolute'><parent link='l{parent}'/><child link='l{child}'/>
         <limit/></joint>"
    )
}

/// Text that costs more than it is long: each within the time.
#[test]
fn bombs_do_not_go_off() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("<robot name='r'><link name='a'>{}{}</link></robot>", open.repeat(count), close.repeat(count))
    };
    let many = |what: fn(usize) -> String, count: usize| (0..count).map(what).collect::<Vec<_>>().concat();
    let prefixes: String = many(|i| format!("<v xmlns:p{i}='u{i}'>"), 10_000);
    let bombs = [
        nested("<v>", "</v>", 1_000_000),
        nested("<inertial>", "</inertial>", 1_000_000),
        format!("<robot name='r'><link name='a'>{prefixes}{}</link></robot>", "</v>".repeat(10_000)),
        format!("<robot name='r'{}><link name='a'/></robot>", many(|i| format!(" a{i}=''"), 200_000)),
        format!("<robot name='r'><link name='a'><visual{}/></link></robot>", many(|i| format!(" a{i}=''"), 200_000)),
        format!("<robot name='{}'><link name='a'/></robot>", "x".repeat(10_000_000)),
        format!("<robot name='r'><link name='{}'/><link/></robot>", "&amp;".repeat(2_000_000)),
        format!("<robot name='r'>{}</robot>", many(|i| format!("<link name='l{i}'/>"), 100_000)),
        format!(
            "<robot name='r'><link name='a'><inertial>{}</inertial></link></robot>",
            "<mass value='1'/>".repeat(200_000)
        ),
        format!("<robot name='r'><link name='l0'/>\n{}</robot>", many(stuck, 20_000)),
        "<".repeat(1_000_000),
        "<a ".repeat(1_000_000),
        format!("<robot name='r'>{}", "<link".repeat(1_000_000)),
        format!("<robot name='r'><link name='a'/>{}</robot>", "&".repeat(1_000_000)),
        format!("<robot name='r'><!--{}", "-".repeat(1_000_000)),
        format!("<!DOCTYPE r [{}]><robot/>", "<!ENTITY a '&a;'>".repeat(100_000)),
    ];
    for bomb in bombs {
        let start = Instant::now();
        let outcome = parse(&bomb).map(|robot| robot.skeleton.len()).map_err(|error| error.to_string());
        let time = start.elapsed();
        assert!(time < Duration::from_secs(2), "{time:?}: {}", &bomb[..100]);
        assert!(outcome.as_ref().err().is_none_or(|error| error.len() < 1000), "{outcome:?}");
    }
}

/// Cut everywhere, and with a few bytes changed, dropped or doubled.
#[test]
fn damaged_text_never_panics() {
    damaged(&[GOOD.to_owned(), include_str!("golden/joints.urdf").to_owned()]);
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn damaged_files_never_panic() {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    let mut texts = Vec::new();
    for folder in ["urdf", "bad/urdf"] {
        let files = std::fs::read_dir(data.join(folder)).unwrap();
        let read = files.filter_map(|file| std::fs::read_to_string(file.unwrap().path()).ok());
        texts.extend(read.filter(|text| text.len() < 5000));
    }
    assert!(!texts.is_empty());
    texts.sort();
    damaged(&texts);
}

fn damaged(texts: &[String]) {
    let mut rng = fastrand::Rng::with_seed(5);
    let words = [
        "<", ">", "/", "'", "\"", "nan", "1e308", "-", "<joint ", "</link>", "&#0;", "&", "\u{0}", "é", "=", "j", "${",
    ];
    for text in texts {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            tried(&text[..end]);
        }
        for _ in 0..2000 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..=rng.u32(0..3) {
                let at = rng.u32(0..damaged.len() as u32) as usize;
                let word = words[rng.u32(0..words.len() as u32) as usize];
                let drop = rng.u32(0..3) as usize;
                let end = damaged.len().min(at + drop);
                damaged.splice(at..end, word.chars());
            }
            tried(&damaged.into_iter().collect::<String>());
        }
    }
}

fn tried(text: &str) {
    let start = Instant::now();
    match parse(text) {
        Ok(robot) => assert!(robot.skeleton.rest_pose().model(robot.base()).is_finite()),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
    assert!(start.elapsed() < Duration::from_secs(2));
}
