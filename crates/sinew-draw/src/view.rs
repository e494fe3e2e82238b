//! Parallel projection of model space onto a panel, and the scale that fits everything.

use sinew::glam::DVec3;

use crate::svg::Point;

/// Room around a panel (pixels).
const MARGIN: f64 = 40.0;

/// From where a character is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Look {
    /// From the front: its left is on the right of the page.
    Front,
    /// From its right: forward is on the right of the page.
    #[default]
    Side,
    /// From behind.
    Back,
    /// From above: forward is up on the page.
    Above,
    /// From the front, turned to the side and a little from above.
    ThreeQuarter,
}

/// Turn aside and height of the eye of [`Look::ThreeQuarter`] (radians).
const ASIDE: f64 = 0.65;
const ABOVE: f64 = 0.25;

/// Which way a panel looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) title: &'static str,
    /// Model directions to the right and up on the page, and what to call the right one; no name where it is no axis.
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) right_name: &'static str,
}

impl Look {
    pub(crate) fn view(self, up: DVec3, forward: DVec3) -> View {
        let left = up.cross(forward);
        match self {
            Self::Front => View::front(up, forward),
            Self::Side => View::side(up, forward),
            Self::Back => View { title: "back", right: -left, up, right_name: "its right" },
            Self::Above => View { title: "above", right: -left, up: forward, right_name: "its right" },
            Self::ThreeQuarter => {
                let ((sin, cos), (high, flat)) = (ASIDE.sin_cos(), ABOVE.sin_cos());
                let toward = forward * cos + left * sin;
                let right = left * cos - forward * sin;
                View { title: "three-quarter", right, up: up * flat - toward * high, right_name: "" }
            }
        }
    }
}

impl View {
    /// From the front: the character's left is on the right of the page.
    pub(crate) fn front(up: DVec3, forward: DVec3) -> Self {
        Self { title: "front", right: up.cross(forward), up, right_name: "its left" }
    }

    /// From the character's right: forward is on the right of the page.
    pub(crate) fn side(up: DVec3, forward: DVec3) -> Self {
        Self { title: "side", right: forward, up, right_name: "forward" }
    }

    /// Height of points in this view over their width; 1 where they have neither.
    pub(crate) fn aspect(&self, points: &[DVec3]) -> f64 {
        let (_, (width, height)) = bounds(self, points);
        if width > 0.0 && height.is_finite() { height / width } else { 1.0 }
    }

    fn flat(&self, point: DVec3) -> Point {
        (self.right.dot(point), self.up.dot(point))
    }
}

/// A rectangle of the page (pixels).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Panel {
    /// Whether a point of the page is on the panel or in its margin.
    pub(crate) fn has_near(&self, (x, y): Point) -> bool {
        let (dx, dy) = (x - self.left, y - self.top);
        (-MARGIN..=self.width + MARGIN).contains(&dx) && (-MARGIN..=self.height + MARGIN).contains(&dy)
    }
}

/// Room around a panel in which marks are drawn: less than up to its heading and its axes (pixels).
const EDGE: f64 = 20.0;

impl Panel {
    /// The part of a line of the page that lies on the panel and its edge, if any does.
    fn cut(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        let (left, top) = (self.left - EDGE - from.0, self.top - EDGE - from.1);
        for (way, low, high) in [(dx, left, left + self.width + 2.0 * EDGE), (dy, top, top + self.height + 2.0 * EDGE)]
        {
            if way == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (low / way, high / way);
            (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
        }
        let at = |share: f64| (from.0 + share * dx, from.1 + share * dy);
        // What ends inside keeps its end to the bit.
        (first <= last).then(|| (if first > 0.0 { at(first) } else { from }, if last < 1.0 { at(last) } else { to }))
    }
}

/// A view fitted into a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fitted {
    view: View,
    panel: Panel,
    center: Point,
    /// Pixels per metre.
    pub(crate) scale: f64,
}

/// Smallest rectangle around points in a view: middle and size, metres.
fn bounds(view: &View, points: &[DVec3]) -> (Point, Point) {
    let flat = points.iter().filter(|p| p.is_finite()).map(|&p| view.flat(p));
    let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    for (x, y) in flat {
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    if low.0 > high.0 {
        return ((0.0, 0.0), (1.0, 1.0));
    }
    ((0.5 * (low.0 + high.0), 0.5 * (low.1 + high.1)), (high.0 - low.0, high.1 - low.1))
}

/// Fits several views into their panels at one scale, so that sizes compare.
pub(crate) fn fit(views: &[(View, Panel)], points: &[DVec3]) -> Vec<Fitted> {
    let sized: Vec<_> = views.iter().map(|(view, panel)| (*view, *panel, bounds(view, points))).collect();
    let scale = sized.iter().map(|(_, panel, (_, size))| (panel.width / size.0).min(panel.height / size.1));
    let scale = scale.fold(f64::INFINITY, f64::min);
    // One point, or none, has no size: a metre then fills the panel.
    let scale = if scale.is_finite() && scale > 0.0 { scale } else { 400.0 };
    sized.into_iter().map(|(view, panel, (center, _))| Fitted { view, panel, center, scale }).collect()
}

impl Fitted {
    /// Place on the page; `None` for a point that is not finite.
    pub(crate) fn place(&self, point: DVec3) -> Option<Point> {
        let (x, y) = self.view.flat(point);
        let at = (
            self.panel.left + 0.5 * self.panel.width + (x - self.center.0) * self.scale,
            self.panel.top + 0.5 * self.panel.height - (y - self.center.1) * self.scale,
        );
        (at.0.is_finite() && at.1.is_finite()).then_some(at)
    }

    /// The part of a line between two points that lies on the panel and its edge, if any does.
    pub(crate) fn cut(&self, from: DVec3, to: DVec3) -> Option<(Point, Point)> {
        self.panel.cut(self.place(from)?, self.place(to)?)
    }

    /// Place on the page of a point that lies on the panel or its edge.
    pub(crate) fn place_inside(&self, point: DVec3) -> Option<Point> {
        self.cut(point, point).map(|(at, _)| at)
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    pub(crate) fn panel(&self) -> &Panel {
        &self.panel
    }
}

/// A round length (1, 2 or 5 times a power of ten, metres) of at most `pixels`, and its pixels.
pub(crate) fn round_length(scale: f64, pixels: f64) -> (f64, f64) {
    let most = pixels / scale;
    let mut length = 1e-9;
    for step in (0..60).map(|i| [2.0, 2.5, 2.0][i % 3]) {
        if length * step > most {
            break;
        }
        length *= step;
    }
    (length, length * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: Panel = Panel { left: 100.0, top: 50.0, width: 200.0, height: 300.0 };

    #[test]
    fn left_is_right_from_the_front_and_forward_is_right_from_the_side() {
        let views = [(View::front(DVec3::Y, DVec3::Z), PANEL), (View::side(DVec3::Y, DVec3::Z), PANEL)];
        let fitted = fit(&views, &[DVec3::ZERO, DVec3::ONE]);
        let (origin, left) = (fitted[0].place(DVec3::ZERO).unwrap(), fitted[0].place(DVec3::X).unwrap());
        assert!(left.0 > origin.0 && (left.1 - origin.1).abs() < 1e-9);
        let (origin, forward) = (fitted[1].place(DVec3::ZERO).unwrap(), fitted[1].place(DVec3::Z).unwrap());
        assert!(forward.0 > origin.0);
        assert!(fitted[1].place(DVec3::Y).unwrap().1 < origin.1);
        assert!(fitted[0].place(DVec3::NAN).is_none());
    }

    #[test]
    fn looks_are_what_they_are_called() {
        let (up, forward) = (DVec3::Y, DVec3::Z);
        for look in [Look::Front, Look::Side, Look::Back, Look::Above, Look::ThreeQuarter] {
            let view = look.view(up, forward);
            assert!(view.right.dot(view.up).abs() < 1e-12 && (view.right.length() - 1.0).abs() < 1e-12, "{look:?}");
            assert!((view.up.length() - 1.0).abs() < 1e-12, "{look:?}");
            // The eye is where it is said to be.
            let eye = view.right.cross(view.up);
            let from = match look {
                Look::Front => forward,
                Look::Side => DVec3::NEG_X,
                Look::Back => -forward,
                Look::Above => up,
                Look::ThreeQuarter => DVec3::new(0.55, 0.25, 0.75),
            };
            assert!(eye.dot(from) > 0.9, "{look:?}: {eye}");
        }
    }

    #[test]
    fn lines_end_at_the_edge_of_their_panel() {
        let inside = ((150.0, 100.0), (250.0, 300.0));
        assert_eq!(PANEL.cut(inside.0, inside.1), Some(inside));
        // Up through the heading, and to the right into the next panel.
        assert_eq!(PANEL.cut((200.0, 100.0), (200.0, -900.0)), Some(((200.0, 100.0), (200.0, 50.0 - EDGE))));
        assert_eq!(PANEL.cut((900.0, 100.0), (200.0, 100.0)), Some(((300.0 + EDGE, 100.0), (200.0, 100.0))));
        assert_eq!(PANEL.cut((0.0, 0.0), (0.0, 400.0)), None);
        let fitted = fit(&[(View::front(DVec3::Y, DVec3::Z), PANEL)], &[DVec3::ZERO, DVec3::ONE])[0];
        assert!(fitted.place_inside(DVec3::ZERO).is_some() && fitted.place_inside(DVec3::Y * 9.0).is_none());
    }

    #[test]
    fn everything_fits_at_any_size_and_nothing_is_a_metre() {
        for size in [1e-4, 1.0, 1e6] {
            let points = [DVec3::ZERO, DVec3::ONE * size];
            let fitted = fit(&[(View::front(DVec3::Y, DVec3::Z), PANEL)], &points);
            for point in points {
                let (x, y) = fitted[0].place(point).unwrap();
                assert!((99.9..=300.1).contains(&x) && (49.9..=350.1).contains(&y));
            }
        }
        assert!(fit(&[(View::front(DVec3::Y, DVec3::Z), PANEL)], &[]).iter().all(|f| f.scale > 0.0));
        assert_eq!(round_length(100.0, 130.0).0, 1.0);
    }
}
