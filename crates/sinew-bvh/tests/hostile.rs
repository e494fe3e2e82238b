//! What is no BVH, or a damaged one: refused in one line that names the line and says what to do, never with a panic, in
//! bounded time and memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::time::{Duration, Instant};

use sinew_bvh::parse;

const GOOD: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Knee
  {
    OFFSET 0 -4 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -4 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 2 3 4 5 6 7
8 9 10 11 12 13 14
";

/// The text with one place changed is refused on a line, with words in the error.
#[track_caller]
fn refused(from: &str, to: &str, line: usize, words: &str) {
    assert!(GOOD.contains(from), "{from}");
    said(&GOOD.replacen(from, to, 1), line, words);
}

#[track_caller]
fn said(text: &str, line: usize, words: &str) {
    let error = parse(text.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("BVH:{line}: ")) && error.contains(words), "{error}");
    assert!(error.lines().count() == 1 && error.contains("; ") && error.len() < 400, "{error}");
}

#[test]
fn what_is_wrong_in_the_hierarchy() {
    assert!(parse(GOOD.as_bytes()).is_ok());
    refused("HIERARCHY", "HIERARCHIE", 1, "begins with HIERARCHY");
    refused("ROOT Hips\n", "# a comment\nROOT Hips\n", 2, "no comments");
    refused("ROOT Hips", "JOINT Hips", 2, "outside every joint");
    refused("ROOT Hips", "ROOT ", 2, "no name");
    refused("JOINT Knee\n", "JOINT Knee\n  OFFSET 0 0 0\n", 6, "a { must follow");
    refused("OFFSET 0 -4 0", "OFFSET 0 -4", 8, "OFFSET has 2 numbers");
    refused("OFFSET 0 -4 0", "OFFSET 0 -4 0 1", 8, "is not expected");
    refused("OFFSET 0 -4 0", "OFFSET 0 -4 nan", 8, "\"nan\" is no number");
    refused("OFFSET 0 -4 0", "OFFSET 0 1e999 0", 8, "\"1e999\" is no number");
    refused("    OFFSET 0 -4 0\n", "", 6, "\"Knee\" has no OFFSET");
    refused("    OFFSET 0 -4 0\n", "    OFFSET 0 -4 0\n OFFSET 0 -4 0\n", 9, "second OFFSET");
    refused("CHANNELS 1 Xrotation\n", "CHANNELS 1 Xrotation CHANNELS 0\n", 9, "second CHANNELS");
    refused("CHANNELS 1 ", "CHANNELS 2 ", 9, "has 1 names");
    refused("CHANNELS 1 ", "CHANNELS 0 ", 9, "\"XROTATION\" is not expected in \"Knee\" (line 6)");
    refused("CHANNELS 1 ", "CHANNELS 2000000000 ", 9, "has 0 to 6");
    refused("CHANNELS 1 ", "CHANNELS -1 ", 9, "has 0 to 6");
    refused("CHANNELS 1 Xrotation", "CHANNELS 1 Xscale", 9, "no channel");
    refused("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation xROTATION", 9, "two channels");
    refused("End Site", "End Effector", 10, "write End Site");
    refused("    {\n      OFFSET", "    { CHANNELS 0\n      OFFSET", 11, "has CHANNELS");
    refused("    {\n      OFFSET", "    { JOINT x {\n      OFFSET", 11, "make it a JOINT");
    refused("  }\n}\nMOTION", "  }\nMOTION", 15, "\"Hips\" (line 2) is not closed");
    refused("}\nMOTION", "}\n}\nMOTION", 16, "\"}\" is not expected outside every joint");
    let far = GOOD.replace("OFFSET 0 1 0", "OFFSET 0 -1.7e308 0").replace("OFFSET 0 -4 0", "OFFSET 0 -1.7e308 0");
    said(&far, 1, "overflows");
}

#[test]
fn what_is_wrong_in_the_motion() {
    refused("Frames: 2\n", "", 17, "'Frames:' is expected");
    refused("Frames: 2", "Frames: two", 17, "\"two\" is no number of frames");
    refused("Frames: 2", "Frames: -2", 17, "no number of frames");
    refused("Frames: 2", "Frames 2", 17, "'Frames:' is expected");
    refused("Frames: 2", "Frames: 99999999999999999999999", 17, "no number of frames");
    refused("Frames: 2", "Frames: 9999999999999999", 17, "do not fit");
    refused("Frames: 2", "Frames: 4", 17, "do not fit");
    refused("8 9 10 11 12 13 14", &" ".repeat(20), 21, "ends after 1 of 2 frames");
    refused("Frames: 2", "Frames: 1", 20, "has 1 frames, and behind them is \"8\"");
    refused("Frame Time: 0.04\n", "", 18, "'Frame Time:' is expected");
    refused("0.04", "0,04", 18, "decimal point");
    refused("0.04", "0", 18, "greater than 0");
    refused("0.04", "-1", 18, "greater than 0");
    refused("0.04", "inf", 18, "no number");
    refused("1 2 3 4 5 6 7\n", "1 2 3 4 5 6\n", 19, "has 6 numbers");
    refused("1 2 3 4 5 6 7\n", "1 2 3 4 5 6 7 8\n", 19, "more numbers");
    refused("1 2 3 4 5 6 7\n", "1 2 3 4\n5 6 7\n", 19, "has 4 numbers");
    refused("1 2 3", "1 -1.#IND 3", 19, "had no value");
    refused("1 2 3", "1 2 -nan", 19, "had no value");
    refused("1 2 3", "1 2 \u{1}", 19, "\"\\u{1}\" is no number");
    let still = "HIERARCHY ROOT a\n{ OFFSET 0 0 0\n}\nMOTION\nFrames: 9000000000\nFrame Time: 1\n";
    said(still, 5, "no joint has channels");
}

#[test]
fn what_is_something_else() {
    said("", 1, "empty");
    said(" \r\n\r\n", 3, "empty");
    said("HIERARCHY\nMOTION\nFrames: 0\n", 2, "no ROOT");
    said("HIERARCHY\n\n", 3, "no ROOT");
    said("version https://git-lfs.github.com/spec/v1\n", 1, "git lfs pull");
    said("<html>", 1, "web page");
    let utf16 = |mark: &str| format!("{mark}{GOOD}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    for bytes in [utf16("\u{feff}"), utf16("")] {
        let error = parse(&bytes).unwrap_err().to_string();
        assert!(error.starts_with("BVH:1: ") && error.contains("UTF-8"), "{error}");
    }
    let latin: Vec<u8> = GOOD.replace("Knee", "Kn\u{e9}").chars().map(|c| c as u8).collect();
    let error = parse(&latin).unwrap_err().to_string();
    assert!(error.starts_with("BVH:6: ") && error.contains("save the file as UTF-8"), "{error}");
    assert!(sinew_bvh::load("/no/such/file.bvh").unwrap_err().to_string().contains("cannot be read"));
    assert!(sinew_bvh::load("/").unwrap_err().to_string().contains("cannot be read"));
}

/// Text that costs more than it is long would take hours: a minute is room for the slowest machine.
#[test]
fn bombs_do_not_go_off() {
    let chain = |depth: usize| {
        let open = "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n".repeat(depth);
        format!("HIERARCHY\n{}{}\n", open.replacen("JOINT", "ROOT", 1), "}\n".repeat(depth))
    };
    let bombs = [
        chain(100_000),
        chain(100_001),
        format!("HIERARCHY\nROOT a\n{{{}", "JOINT b {".repeat(1_000_000)),
        format!("HIERARCHY\nROOT {}", "x".repeat(10_000_000)),
        "HIERARCHY ".repeat(1_000_000),
        "x".repeat(10_000_000),
        "\n".repeat(10_000_000),
        "{".repeat(1_000_000),
        GOOD.replace("Frames: 2", "Frames: 10000000"),
        GOOD.replace("1 2 3", &"1".repeat(1_000_000)),
        GOOD.replace("1 2 3", &format!("1 2 0.{}", "1".repeat(60_000))),
        GOOD.replace("CHANNELS 1", &format!("CHANNELS {}", "9".repeat(50_000))),
    ];
    for bomb in bombs {
        let start = Instant::now();
        let outcome = parse(bomb.as_bytes()).map(|clip| clip.skeleton.len()).map_err(|error| error.to_string());
        let time = start.elapsed();
        assert!(time < Duration::from_secs(60), "{time:?}: {}", &bomb[..60]);
        assert!(outcome.as_ref().err().is_none_or(|error| error.len() < 500), "{outcome:?}");
    }
    let deep = parse(chain(20_000).as_bytes()).unwrap();
    assert!(deep.to_vec().unwrap().len() < 10_000_000);
}

/// Cut everywhere, and with a few bytes changed, dropped or doubled.
#[test]
fn damaged_text_never_panics() {
    let mut rng = fastrand::Rng::with_seed(5);
    let words = [
        "{",
        "}",
        "\n",
        "\r",
        "nan",
        "1e308",
        "-",
        "JOINT ",
        "End Site",
        "\u{0}",
        "é",
        "9",
        ":",
        "MOTION",
        "CHANNELS 3 ",
    ];
    for text in [GOOD.as_bytes(), include_bytes!("golden/orders.bvh"), include_bytes!("golden/odd.bvh")] {
        (0..text.len()).for_each(|end| tried(&text[..end]));
        for _ in 0..2000 {
            let mut damaged = text.to_vec();
            for _ in 0..=rng.u32(0..3) {
                let at = rng.usize(0..damaged.len());
                let end = damaged.len().min(at + rng.usize(0..3));
                damaged.splice(at..end, words[rng.usize(0..words.len())].bytes());
            }
            tried(&damaged);
        }
    }
}

fn tried(text: &[u8]) {
    match parse(text) {
        Ok(clip) => {
            let mut pose = clip.skeleton.rest_pose();
            (0..clip.motion.len()).for_each(|frame| assert!(clip.pose_frame(frame, &mut pose)));
            assert_eq!(parse(&clip.to_vec().unwrap()).unwrap().motion, clip.motion);
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
}
