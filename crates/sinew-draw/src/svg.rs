//! SVG as text: a few shapes, fixed decimals, everything escaped.

use std::fmt::Write as _;

/// An SVG document under construction. Coordinates are pixels, y down.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    body: String,
}

/// A stroke.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pen {
    pub(crate) color: &'static str,
    pub(crate) width: f64,
    pub(crate) dashed: bool,
}

impl Pen {
    pub(crate) const fn new(color: &'static str, width: f64) -> Self {
        Self { color, width, dashed: false }
    }

    pub(crate) const fn dashed(color: &'static str, width: f64) -> Self {
        Self { color, width, dashed: true }
    }
}

/// Where a text stands on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

pub(crate) type Point = (f64, f64);

impl Svg {
    pub(crate) fn line(&mut self, a: Point, b: Point, pen: Pen) {
        let dash = if pen.dashed { r#" stroke-dasharray="6 5""# } else { "" };
        let _ = writeln!(
            self.body,
            r#"<line x1="{:.2}" y1="{:.2}" x2="{:.2}" y2="{:.2}" stroke="{}" stroke-width="{:.2}"{dash}/>"#,
            a.0, a.1, b.0, b.1, pen.color, pen.width
        );
    }

    /// A line through points.
    pub(crate) fn way(&mut self, points: &[Point], pen: Pen) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="{:.2}" stroke-linejoin="round"/>"#,
            list.join(" "),
            pen.color,
            pen.width
        );
    }

    /// A line through points, in red, green and blue.
    pub(crate) fn curve(&mut self, points: &[Point], color: [u8; 3], width: f64) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
        let (list, color) = (list.join(" "), hex(color));
        let _ = writeln!(
            self.body,
            r#"<polyline points="{list}" fill="none" stroke="{color}" stroke-width="{width:.1}" stroke-linejoin="round"/>"#
        );
    }

    /// A text that runs upwards, its middle on its point.
    pub(crate) fn text_upwards(&mut self, at: Point, size: f64, color: &str, text: &str) {
        let (x, y, text) = (at.0, at.1, escaped(text));
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x:.2} {y:.2}) rotate(-90)" font-size="{size:.0}" text-anchor="middle" fill="{color}">{text}</text>"#
        );
    }

    pub(crate) fn circle(&mut self, center: Point, radius: f64, fill: &str, pen: Option<Pen>) {
        let stroke = pen.map(|pen| format!(r#" stroke="{}" stroke-width="{:.2}""#, pen.color, pen.width));
        let _ = writeln!(
            self.body,
            r#"<circle cx="{:.2}" cy="{:.2}" r="{radius:.2}" fill="{fill}"{}/>"#,
            center.0,
            center.1,
            stroke.unwrap_or_default()
        );
    }

    pub(crate) fn polygon(&mut self, points: &[Point], fill: &str) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.2},{:.2}", p.0, p.1)).collect();
        let _ = writeln!(self.body, r#"<polygon points="{}" fill="{fill}"/>"#, list.join(" "));
    }

    /// A polygon with a thin edge.
    pub(crate) fn face(&mut self, points: &[Point], fill: &str, edge: &str) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.2},{:.2}", p.0, p.1)).collect();
        let _ = writeln!(
            self.body,
            r#"<polygon points="{}" fill="{fill}" stroke="{edge}" stroke-width="1.00" stroke-linejoin="round"/>"#,
            list.join(" ")
        );
    }

    /// A see-through polygon with a thin edge.
    pub(crate) fn shade(&mut self, points: &[Point], color: &str, opacity: f64) {
        let list: Vec<String> = points.iter().map(|p| format!("{:.2},{:.2}", p.0, p.1)).collect();
        let _ = writeln!(
            self.body,
            r#"<polygon points="{}" fill="{color}" fill-opacity="{opacity:.2}" stroke="{color}" stroke-width="0.8" stroke-opacity="0.5"/>"#,
            list.join(" ")
        );
    }

    /// A filled path; its thin edge hides the seams between rows.
    pub(crate) fn path(&mut self, data: &str, fill: &str) {
        let _ = writeln!(self.body, r#"<path d="{data}" fill="{fill}" stroke="{fill}" stroke-width="0.6"/>"#);
    }

    pub(crate) fn text(&mut self, at: Point, size: f64, color: &str, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        let (x, y, text) = (at.0, at.1, escaped(text));
        // A white edge first, as an element of its own: not every viewer knows `paint-order`.
        let edge = 0.25 * size;
        for look in
            [format!(r##"fill="none" stroke="#ffffff" stroke-width="{edge:.1}""##), format!(r#"fill="{color}""#)]
        {
            let _ = writeln!(
                self.body,
                r#"<text x="{x:.2}" y="{y:.2}" font-size="{size:.0}" text-anchor="{anchor}" {look}>{text}</text>"#
            );
        }
    }

    pub(crate) fn finish(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" stroke-linecap=\"round\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// Red, green and blue as an attribute has them.
pub(crate) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text that is safe in an element; control characters, which XML forbids, are dropped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut svg = Svg::default();
        svg.text((0.0, 0.0), 12.0, "#000", Anchor::Start, "a<b&\"c\"\u{0}>");
        assert!(svg.finish(10.0, 10.0).contains("a&lt;b&amp;&quot;c&quot;&gt;</text>"));
    }
}
