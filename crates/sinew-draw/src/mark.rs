//! The mark of a goal: where it is, whether it was met, and by how much it was missed.

use sinew::glam::DVec3;

use crate::label::Label;
use crate::legend;
use crate::picture::{EASES, FAR, MET, POLE};
use crate::svg::{Pen, Point, Svg};
use crate::unit::Unit;
use crate::view::Fitted;

/// A goal as it ended. Positions are in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What to write beside it.
    pub label: String,
    /// Where the joint's point should be.
    pub target: DVec3,
    /// Where it ended.
    pub reached: DVec3,
    /// Whether that counts as reached; decides the colour, and whether the miss is drawn.
    pub met: bool,
    /// Whether it holds only in part at this moment of a clip, as it comes or goes: a strip draws it grey, met or not.
    pub eases: bool,
    /// The pole, with the middle joint that points to it.
    pub pole: Option<(DVec3, DVec3)>,
    /// For an aim, where the axis that looks at the target starts; `reached` is where it passes.
    pub sight: Option<DVec3>,
    /// The limb's joints, root first: the plane in which it bends is shaded. None by default.
    pub limb: Vec<DVec3>,
}

impl Mark {
    /// A goal without a pole, met where target and reached are within a millionth of each other's
    /// distance from the origin.
    pub fn new(label: impl Into<String>, target: DVec3, reached: DVec3) -> Self {
        let met = target.distance(reached) <= 1e-6 * (target.length() + reached.length());
        Self { label: label.into(), target, reached, met, eases: false, pole: None, sight: None, limb: Vec::new() }
    }

    /// How far off it is: of an aim the angle between where it looks and its target, else the distance.
    fn miss(&self, unit: Unit) -> String {
        match self.sight {
            Some(from) => format!("{:.0}°", (self.reached - from).angle_between(self.target - from).to_degrees()),
            None => unit.text(self.target.distance(self.reached)),
        }
    }

    /// Draws what a strip has room for: the goal, and the line of sight of an aim, or how far it was missed.
    pub(crate) fn draw_small(&self, svg: &mut Svg, view: &Fitted) {
        let color = match (self.eases, self.met) {
            (true, _) => EASES,
            (false, true) => MET,
            (false, false) => FAR,
        };
        let miss = Some(self.reached).filter(|_| !self.met && !self.eases);
        if let Some((from, to)) = self.sight.or(miss).and_then(|from| view.cut(from, self.target)) {
            svg.line(from, to, Pen::dashed(color, 1.0));
        }
        if let Some(at) = view.place_inside(self.target) {
            legend::target(svg, at, color);
        }
    }

    /// Draws all but the label, which is noted. What lies beyond the panel is shown by an arrow at its edge.
    pub(crate) fn draw(&self, svg: &mut Svg, view: &Fitted, unit: Unit, labels: &mut Vec<Label>) {
        let line = |svg: &mut Svg, from, to, pen| {
            if let Some((from, to)) = view.cut(from, to) {
                svg.line(from, to, pen);
            }
        };
        let color = if self.met { MET } else { FAR };
        if let Some((pole, mid)) = self.pole {
            line(svg, mid, pole, Pen::dashed(POLE, 1.5));
            if let Some(at) = view.place_inside(pole) {
                legend::diamond(svg, at);
            }
        }
        if let Some(from) = self.sight {
            line(svg, from, self.reached, Pen::dashed(color, 1.2));
        }
        if !self.met {
            line(svg, self.reached, self.target, Pen::dashed(FAR, 2.0));
        }
        let text = if self.met { self.label.clone() } else { format!("{}: {} off", self.label, self.miss(unit)) };
        let start = self.sight.unwrap_or(self.reached);
        let at = if let Some(at) = view.place_inside(self.target) {
            legend::target(svg, at, color);
            at
        } else {
            let Some((from, to)) = view.cut(start, self.target) else { return };
            svg.line(from, to, Pen::dashed(color, 1.2));
            arrow(svg, from, to, color);
            to
        };
        labels.push(Label { at, text, color });
    }
}

/// The head of an arrow at the end of a line.
fn arrow(svg: &mut Svg, from: Point, to: Point, color: &'static str) {
    let length = (to.0 - from.0).hypot(to.1 - from.1);
    if length > 0.0 {
        let (x, y) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let (back, aside) = (14.0, 5.0);
        let corner = |side: f64| (to.0 - back * x - side * aside * y, to.1 - back * y + side * aside * x);
        svg.polygon(&[to, corner(1.0), corner(-1.0)], color);
    }
}
