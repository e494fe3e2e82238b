//! The HIERARCHY of a file: joints, offsets, channels. Nothing recurses, so nesting is no danger.

use std::io::Read;

use glam::DVec3;

use crate::channel::Channel;
use crate::error::{Fault, quoted};
use crate::source::Source;

/// Joints that a file may have, end sites among them: what a hostile file may make of memory.
const MOST_JOINTS: usize = 100_000;

const MEND: &str = "mend the file, or export it again";

/// A joint or an end site.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The file's; none for an end site without one.
    pub(crate) name: Option<String>,
    pub(crate) parent: Option<usize>,
    pub(crate) is_end: bool,
    pub(crate) offset: DVec3,
    pub(crate) channels: Vec<Channel>,
}

/// A node whose block is open, and what was said in it.
struct Open {
    node: usize,
    line: usize,
    offset: bool,
    channels: bool,
}

/// Reads the hierarchy up to and with `MOTION`, or to the end of a text that has none; whether there is one.
pub(crate) fn read(source: &mut Source<impl Read>) -> Result<(Vec<Node>, bool), Fault> {
    let first = source.word()?.map(<[u8]>::to_vec);
    if !first.as_ref().is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY")) {
        let what = first.map_or_else(|| "nothing".to_owned(), |word| quoted(&word));
        return Err(not_begun(source, &what));
    }
    let (mut nodes, mut open): (Vec<Node>, Vec<Open>) = (Vec::new(), Vec::new());
    loop {
        let word = source.word()?.map(<[u8]>::to_ascii_uppercase);
        let Some(word) = word else {
            return match open.last() {
                Some(block) => Err(unclosed(source, &nodes, block)),
                None if nodes.is_empty() => Err(source.fault("the HIERARCHY has no ROOT", MEND)),
                None => Ok((nodes, false)),
            };
        };
        match (word.as_slice(), open.last_mut()) {
            (b"ROOT", None) | (b"JOINT" | b"END", Some(_)) => {
                let begun = begin(source, &mut nodes, open.last(), &word)?;
                open.push(begun);
            }
            (b"OFFSET", Some(block)) => {
                once(source, &mut block.offset, "OFFSET", &nodes[block.node])?;
                nodes[block.node].offset = offset(source)?;
            }
            (b"CHANNELS", Some(block)) if nodes[block.node].is_end => {
                let problem = format!("{} has CHANNELS", label(&nodes[block.node]));
                return Err(source.fault(problem, "make it a JOINT, or delete the line"));
            }
            (b"CHANNELS", Some(block)) => {
                once(source, &mut block.channels, "CHANNELS", &nodes[block.node])?;
                nodes[block.node].channels = channels(source, &nodes[block.node])?;
            }
            (b"}", Some(block)) => {
                if !block.offset {
                    let problem = format!("{} has no OFFSET", label(&nodes[block.node]));
                    return Err(Fault::new(block.line, problem, "say where it is, as in OFFSET 0 0 0"));
                }
                open.pop();
            }
            (b"MOTION", None) if nodes.is_empty() => return Err(source.fault("the HIERARCHY has no ROOT", MEND)),
            (b"MOTION", None) => return Ok((nodes, true)),
            (b"MOTION", Some(block)) => return Err(unclosed(source, &nodes, block)),
            (_, block) => {
                let inside = block.map_or_else(|| "outside every joint".to_owned(), |block| in_block(&nodes, block));
                return Err(unexpected(source, &word, &inside));
            }
        }
    }
}

/// `ROOT name {`, `JOINT name {` or `End Site {`.
fn begin(
    source: &mut Source<impl Read>,
    nodes: &mut Vec<Node>,
    above: Option<&Open>,
    word: &[u8],
) -> Result<Open, Fault> {
    let line = source.line();
    let parent = above.map(|block| block.node);
    if let Some(end) = parent.filter(|&parent| nodes[parent].is_end) {
        let problem = format!("{} cannot hold anything but its OFFSET", label(&nodes[end]));
        return Err(source.fault(problem, "make it a JOINT"));
    }
    let is_end = word == b"END";
    let name = source.rest_of_line()?;
    let name = if is_end { end_name(name).ok_or_else(|| not_site(line, name))? } else { name };
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.contains('\0')) {
        return Err(source.fault("a name holds the character NUL, where most programs end a name", "remove it"));
    }
    if !is_end && name.is_none() {
        return Err(source.fault("a joint has no name", "name it behind ROOT or JOINT"));
    }
    if source.word()? != Some(b"{") {
        return Err(Fault::new(line, "a { must follow the name of a joint", MEND));
    }
    if nodes.len() == MOST_JOINTS {
        return Err(
            source.fault(format!("more than {MOST_JOINTS} joints"), "this is no body; check what wrote the file")
        );
    }
    nodes.push(Node { name, parent, is_end, offset: DVec3::ZERO, channels: Vec::new() });
    Ok(Open { node: nodes.len() - 1, line, offset: false, channels: false })
}

/// What stands behind `End`, without `Site`.
fn end_name(rest: &str) -> Option<&str> {
    let (site, name) = rest.split_at_checked(4)?;
    let ends = name.is_empty() || name.starts_with([' ', '\t']);
    (site.eq_ignore_ascii_case("site") && ends).then(|| name.trim())
}

fn not_site(line: usize, rest: &str) -> Fault {
    Fault::new(line, format!("End {} is not known", quoted(rest.as_bytes())), "write End Site")
}

/// Three numbers.
fn offset(source: &mut Source<impl Read>) -> Result<DVec3, Fault> {
    let mut offset = DVec3::ZERO;
    for axis in 0..3 {
        let word = source.word_in_line()?.map(<[u8]>::to_vec);
        let Some(word) = word else {
            return Err(source.fault(format!("OFFSET has {axis} numbers and needs 3"), MEND));
        };
        offset[axis] = number(&word).map_err(|(problem, advice)| source.fault(problem, advice))?;
    }
    Ok(offset)
}

/// A count and as many names.
fn channels(source: &mut Source<impl Read>, node: &Node) -> Result<Vec<Channel>, Fault> {
    let word = source.word_in_line()?.unwrap_or_default().to_vec();
    let count = std::str::from_utf8(&word).ok().and_then(|word| word.parse::<usize>().ok());
    let Some(count) = count.filter(|&count| count <= Channel::MOST) else {
        let problem = format!("CHANNELS {} of {}: a joint has 0 to {}", quoted(&word), label(node), Channel::MOST);
        return Err(source.fault(problem, "count the names behind it"));
    };
    let mut channels = Vec::with_capacity(count);
    for place in 0..count {
        let word = source.word_in_line()?.map(<[u8]>::to_vec);
        let Some(word) = word else {
            let problem = format!("CHANNELS {count} of {} has {place} names", label(node));
            return Err(source.fault(problem, "count the names behind it"));
        };
        let Some(channel) = Channel::named(&word) else {
            let problem = format!("{} is no channel of BVH", quoted(&word));
            return Err(
                source.fault(problem, "there are Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation")
            );
        };
        if channels.contains(&channel) {
            return Err(source.fault(format!("{} has two channels {}", label(node), channel.name()), MEND));
        }
        channels.push(channel);
    }
    Ok(channels)
}

/// A number that is one, or what is wrong and what to do about it.
pub(crate) fn number(word: &[u8]) -> Result<f64, (String, &'static str)> {
    let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
    number.filter(|number| number.is_finite()).ok_or_else(|| {
        let advice = if number.is_some() || word.contains(&b'#') || word.eq_ignore_ascii_case(b"-nan") {
            "what wrote it had no value there; export the file again"
        } else if word.contains(&b',') {
            "write a decimal point, not a comma"
        } else {
            MEND
        };
        (format!("{} is no number", quoted(word)), advice)
    })
}

fn once(source: &Source<impl Read>, said: &mut bool, what: &str, node: &Node) -> Result<(), Fault> {
    if std::mem::replace(said, true) {
        return Err(source.fault(format!("{} has a second {what}", label(node)), "delete one of them"));
    }
    Ok(())
}

/// A joint as errors call it.
pub(crate) fn label(node: &Node) -> String {
    match &node.name {
        Some(name) => quoted(name.as_bytes()),
        None => "an End Site".to_owned(),
    }
}

fn in_block(nodes: &[Node], block: &Open) -> String {
    format!("in {} (line {})", label(&nodes[block.node]), block.line)
}

fn unclosed(source: &Source<impl Read>, nodes: &[Node], block: &Open) -> Fault {
    source.fault(format!("the block of {} is not closed", in_block(nodes, block).trim_start_matches("in ")), MEND)
}

fn unexpected(source: &Source<impl Read>, word: &[u8], inside: &str) -> Fault {
    let advice = match word {
        [b'#' | b'/' | b';', ..] => "BVH has no comments; delete the line",
        b"SCALE" => "delete the line: offsets are all that BVH says of lengths",
        _ => MEND,
    };
    source.fault(format!("{} is not expected {inside}", quoted(word)), advice)
}

/// A text that does not begin as BVH does.
fn not_begun(source: &Source<impl Read>, word: &str) -> Fault {
    let advice = match word {
        "nothing" => "the file is empty; export it again",
        _ if word.contains("\\0") => "save the file as UTF-8",
        "\"version\"" => "this is a pointer of git-lfs; fetch the file with `git lfs pull`",
        _ if word.starts_with("\"<") => "this is a web page or XML; download the raw file",
        _ => "give a BVH file",
    };
    source.fault(format!("BVH begins with HIERARCHY, and here is {word}"), advice)
}
