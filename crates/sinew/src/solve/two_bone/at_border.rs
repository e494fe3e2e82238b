//! One joint at the lowest places of the border of its limit, and the other at its best there.

use super::border::{Border, COARSE, FINE, Grid, KEPT, Place};
use super::response::{Response, RootResponse};
use super::stuck::{Pair, Stuck};

/// Places of the root at the border of its limit, with the middle joint at its best, or about.
pub(super) struct Roots<'a> {
    stuck: &'a Stuck<'a>,
    border: Border,
    response: Response<'a>,
    lowest: [Option<Place>; KEPT],
}

impl<'a> Roots<'a> {
    /// To start from.
    pub(super) fn rough(stuck: &'a Stuck<'a>) -> Option<Self> {
        Self::of(stuck, &COARSE, false)
    }

    /// For a middle joint whose best is a closed form.
    pub(super) fn refined(stuck: &'a Stuck<'a>) -> Option<Self> {
        Self::of(stuck, &FINE, true)
    }

    fn of(stuck: &'a Stuck<'a>, grid: &Grid, refine: bool) -> Option<Self> {
        let border = Border::of(stuck.skeleton, stuck.limb.root, grid)?;
        let response = Response::of(stuck, border.right);
        let target = border.left.conjugate() * stuck.p;
        let lowest = border.lowest(|turn| response.miss(turn.conjugate() * target), refine);
        Some(Self { stuck, border, response, lowest })
    }

    /// The pair at the lowest place.
    pub(super) fn lowest(&self) -> Option<Pair> {
        self.lowest[0].as_ref().map(|place| self.pair(place))
    }

    /// The lowest first.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        self.lowest.into_iter().flatten()
    }

    pub(super) fn pair(&self, place: &Place) -> Pair {
        let root = self.border.rotation(place);
        let target = self.border.right * (root.conjugate() * self.stuck.p);
        [self.stuck.root(root), self.stuck.mid(self.response.rotation(target))]
    }
}

/// Places of the middle joint at the border of its limit, with the root about at its best.
pub(super) struct Mids<'a> {
    stuck: &'a Stuck<'a>,
    border: Border,
    response: &'a RootResponse<'a>,
    lowest: [Option<Place>; KEPT],
}

impl<'a> Mids<'a> {
    /// To start from.
    pub(super) fn rough(stuck: &'a Stuck<'a>, response: &'a RootResponse<'a>) -> Option<Self> {
        let border = Border::of(stuck.skeleton, stuck.limb.mid, &COARSE)?;
        let lowest = border.lowest(|turn| response.miss(border.left * turn * border.right), false);
        Some(Self { stuck, border, response, lowest })
    }

    /// The lowest first.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        self.lowest.into_iter().flatten()
    }

    pub(super) fn pair(&self, place: &Place) -> Pair {
        let mid = self.border.rotation(place);
        [self.stuck.root(self.response.rotation(mid)), self.stuck.mid(mid)]
    }
}
