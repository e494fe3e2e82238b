//! From text to the few elements that are read, each with its place.
//!
//! Only `<robot>`, its links and joints, and what lies in these is kept, so nothing is deeper than four levels; whatever
//! else there is passes by unread. No entity is ever defined, so none can expand.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::{Fault, quoted};
use crate::text;

/// More attributes than any element of URDF has.
const MOST_ATTRIBUTES: usize = 64;
/// What to do about xacro.
pub(crate) const RUN_XACRO: &str = "run `xacro robot.xacro > robot.urdf` first and load what it writes";

/// One element that is read, with those in it that are.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// Byte of the text at which it begins.
    pub(crate) at: usize,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Element>,
}

impl Element {
    /// How messages call it: `<limit>`, `<joint name="elbow">`.
    pub(crate) fn label(&self) -> String {
        match self.attributes.iter().find(|(key, _)| key == "name") {
            Some((_, name)) => format!("<{} name={}>", self.name, quoted(name)),
            None => format!("<{}>", self.name),
        }
    }
}

/// The outermost element of a text.
pub(crate) fn parse(text: &str) -> Result<Element, Fault> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    let mut parser = Parser { text, open: Vec::new(), kept: Vec::new(), root: None };
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(text.len());
        match reader.read_event() {
            Ok(Event::Eof) => return parser.finish(),
            Ok(event) => parser.event(at, &event)?,
            Err(error) => {
                let at = usize::try_from(reader.error_position()).unwrap_or(at);
                return Err(parser.malformed(at, &error));
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Places of the open elements, kept or not.
    open: Vec<usize>,
    /// The open elements that are kept: the outermost of `open`.
    kept: Vec<Element>,
    root: Option<Element>,
}

impl Parser<'_> {
    fn event(&mut self, at: usize, event: &Event<'_>) -> Result<(), Fault> {
        match event {
            Event::Start(tag) => self.start(at, tag),
            Event::End(_) => {
                self.end();
                Ok(())
            }
            Event::DocType(_) => {
                Err(Fault::at(at, "<!DOCTYPE>", "document types may define entities and are not read")
                    .advise("delete it; URDF has none"))
            }
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) if self.open.is_empty() => self.outside(at),
            _ => Ok(()),
        }
    }

    fn start(&mut self, at: usize, tag: &BytesStart<'_>) -> Result<(), Fault> {
        let name = tag.name();
        if name.prefix().is_some_and(|prefix| prefix.as_ref() == "xacro") {
            return Err(Fault::at(at, format!("<{}>", name.as_ref()), "this is xacro, from which URDF is made")
                .advise(RUN_XACRO));
        }
        if self.open.is_empty() && self.root.is_some() {
            return Err(Fault::at(at, format!("<{}>", name.as_ref()), "a second outermost element"));
        }
        if self.open.len() == self.kept.len() && self.is_read(name.as_ref()) {
            let mut element =
                Element { name: name.as_ref().to_owned(), at, attributes: Vec::new(), children: Vec::new() };
            read_attributes(tag, &mut element)?;
            self.kept.push(element);
        }
        self.open.push(at);
        Ok(())
    }

    /// Whether an element in the innermost one kept is read.
    fn is_read(&self, name: &str) -> bool {
        match &self.kept[..] {
            [] => true,
            [_] => matches!(name, "link" | "joint"),
            [_, outer] => outer.name == "joint" || name == "inertial",
            [_, _, outer] => outer.name == "inertial",
            _ => false,
        }
    }

    fn end(&mut self) {
        self.open.pop();
        if self.kept.len() > self.open.len()
            && let Some(element) = self.kept.pop()
        {
            match self.kept.last_mut() {
                Some(outer) => outer.children.push(element),
                None => self.root = Some(element),
            }
        }
    }

    /// Text before or after the outermost element.
    fn outside(&self, at: usize) -> Result<(), Fault> {
        let rest = self.text.get(at..).unwrap_or_default();
        let text = rest.split('<').next().unwrap_or_default();
        let blank = text.len() - text.trim_start().len();
        if text.len() == blank && !rest.starts_with("<!") {
            return Ok(());
        }
        let problem = format!("no XML but {}", quoted(text.trim().lines().next().unwrap_or_default()));
        Err(Fault::at(at + blank, "document", problem).advise(text::advice(rest)))
    }

    fn finish(self) -> Result<Element, Fault> {
        if let Some(&at) = self.open.last() {
            return Err(Fault::at(at, self.innermost(), "it is never closed")
                .advise("the file may be cut off: fetch or export it again"));
        }
        self.root.ok_or_else(|| Fault::at(0, "document", "there is no element in it").advise(text::advice(self.text)))
    }

    fn malformed(&self, at: usize, error: &quick_xml::Error) -> Fault {
        Fault::at(at, self.innermost(), error.to_string())
            .advise("mend the XML; the file may be cut off or edited by hand")
    }

    /// The innermost open element.
    fn innermost(&self) -> String {
        let Some(tag) = self.open.last().and_then(|&at| self.text.get(at + 1..)) else { return "document".to_owned() };
        let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next();
        format!("<{}>", name.unwrap_or_default())
    }
}

/// Whether XML 1.0 allows a character, as itself or by its number.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

fn read_attributes(tag: &BytesStart<'_>, element: &mut Element) -> Result<(), Fault> {
    for attribute in tag.attributes() {
        if element.attributes.len() == MOST_ATTRIBUTES {
            return Err(Fault::new(element, format!("it has more than {MOST_ATTRIBUTES} attributes")));
        }
        let attribute = attribute.map_err(|error| Fault::new(element, error.to_string()))?;
        let key = attribute.key.as_ref().to_owned();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| Fault::new(element, format!("{key}: {error}")))?;
        if let Some(illegal) = value.chars().find(|&c| !is_xml(c)) {
            let problem = format!("{key} holds the character U+{:04X}, which XML does not allow", u32::from(illegal));
            return Err(Fault::new(element, problem).advise("delete it: a text editor shows where it stands"));
        }
        element.attributes.push((key, value.into_owned()));
    }
    Ok(())
}
