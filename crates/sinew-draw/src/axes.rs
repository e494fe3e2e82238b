//! Axes with round numbers around a panel.

use sinew::glam::DVec3;

use crate::picture::INK;
use crate::svg::{Anchor, Pen, Svg};
use crate::view::{self, Fitted};

const LINE: &str = "#b8c0cb";
const LETTER: f64 = 12.0;
/// Pixels from number to number at most.
const APART: f64 = 90.0;

/// A frame with ticks in metres, below and to the left. Names are those of the axes.
pub(crate) fn draw(svg: &mut Svg, view: &Fitted, (right, up): (&str, &str)) {
    let panel = *view.panel();
    let (left, top) = (panel.left, panel.top);
    let (end, bottom) = (left + panel.width, top + panel.height);
    let (step, pixels) = view::round_length(view.scale, APART);
    let zero = view.place(DVec3::ZERO).unwrap_or((left, bottom));
    for number in ticks(left - zero.0, end - zero.0, pixels) {
        let x = zero.0 + number * pixels;
        svg.line((x, bottom), (x, bottom + 5.0), Pen::new(LINE, 1.2));
        svg.text((x, bottom + 20.0), LETTER, INK, Anchor::Middle, &metres(number * step, step));
    }
    for number in ticks(zero.1 - bottom, zero.1 - top, pixels) {
        let y = zero.1 - number * pixels;
        svg.line((left - 5.0, y), (left, y), Pen::new(LINE, 1.2));
        svg.text((left - 22.0, y + 4.0), LETTER, INK, Anchor::Middle, &metres(number * step, step));
    }
    svg.line((left, bottom), (end, bottom), Pen::new(LINE, 1.2));
    svg.line((left, top), (left, bottom), Pen::new(LINE, 1.2));
    svg.text((0.5 * (left + end), bottom + 40.0), 14.0, INK, Anchor::Middle, &format!("{right} (m)"));
    svg.text((left - 30.0, top - 14.0), 14.0, INK, Anchor::Middle, &format!("{up} (m)"));
}

/// The whole numbers of steps in a span, both in pixels.
fn ticks(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil();
    let last = (high / step).floor();
    // A page has room for no more.
    (0..100).map(move |i| first + f64::from(i)).take_while(move |&number| number <= last)
}

/// A number with the digits that tell steps apart.
pub(crate) fn metres(number: f64, step: f64) -> String {
    #[allow(clippy::cast_sign_loss, reason = "not negative")]
    let digits = (-step.log10()).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{number:.digits$}");
    if text.trim_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_they_need() {
        assert_eq!([0.2, -0.4, 1e-17, -1e-17].map(|x| metres(x, 0.2)), ["0.2", "-0.4", "0.0", "0.0"]);
        assert_eq!(
            (metres(3.0, 1.0), metres(-0.05, 0.05), metres(250.0, 50.0)),
            ("3".into(), "-0.05".into(), "250".into())
        );
    }

    #[test]
    fn ticks_are_whole_steps_inside() {
        assert_eq!(ticks(-90.0, 100.0, 40.0).collect::<Vec<_>>(), [-2.0, -1.0, 0.0, 1.0, 2.0]);
        assert_eq!(ticks(5.0, 35.0, 40.0).count() + ticks(f64::NAN, 1.0, 1.0).count(), 0);
    }
}
