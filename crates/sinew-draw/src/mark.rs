//! The mark of a goal: where it is, whether it was met, and by how much it was missed.

use sinew::glam::DVec3;

use crate::label::Label;
use crate::legend;
use crate::picture::{FAR, MET, POLE};
use crate::svg::{Pen, Svg};
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
        Self { label: label.into(), target, reached, met, pole: None, sight: None, limb: Vec::new() }
    }

    /// How far off it is: of an aim the angle between where it looks and its target, else the distance.
    fn miss(&self, unit: Unit) -> String {
        match self.sight {
            Some(from) => format!("{:.0}°", (self.reached - from).angle_between(self.target - from).to_degrees()),
            None => unit.text(self.target.distance(self.reached)),
        }
    }

    /// Draws all but the label, which is noted.
    pub(crate) fn draw(&self, svg: &mut Svg, view: &Fitted, unit: Unit, labels: &mut Vec<Label>) {
        if let Some((pole, mid)) = self.pole
            && let (Some(pole), Some(mid)) = (view.place(pole), view.place(mid))
        {
            svg.line(mid, pole, Pen::dashed(POLE, 1.5));
            legend::diamond(svg, pole);
        }
        if let (Some(from), Some(to)) = (self.sight.and_then(|from| view.place(from)), view.place(self.reached)) {
            svg.line(from, to, Pen::dashed(if self.met { MET } else { FAR }, 1.2));
        }
        let Some(target) = view.place(self.target) else { return };
        let color = if self.met { MET } else { FAR };
        let mut text = self.label.clone();
        if !self.met {
            text = format!("{text}: {} off", self.miss(unit));
            if let Some(reached) = view.place(self.reached) {
                svg.line(reached, target, Pen::dashed(FAR, 2.0));
            }
        }
        legend::target(svg, target, color);
        labels.push(Label { at: target, text, color });
    }
}
