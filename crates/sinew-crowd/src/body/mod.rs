//! The body of people in lanes: what `sinew_rig::Body` does for six trackers (hips, head, hands and feet, placed and turned) that a
//! body reaches. Who is asked something else, or does not reach, is solved by the core.

mod between;
mod by_core;
mod fold;
mod limb;
mod natural;
mod parts;
mod trunk;
mod turns;
mod twist;

use sinew_rig::Body;

use crate::block::{ASKED, Solves, TOLD, Tile};
use crate::by_core::LaneByLane as _;
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::goals::{IGNORED, REACHED};
use crate::number::Lanes;
use crate::steps::Step;
use crate::vector::{Turn, Vector};
use natural::Natural;
use parts::Parts;

/// Hips, head, left and right hand, left and right foot.
pub(crate) const PARTS: usize = 6;
/// Joints but the hips, at most: those of a trunk with the head, and of four limbs.
const JOINTS: usize = trunk::MOST + 1 + 4 * 4;
/// What the pose given is off by rounding is met (shares of a leg, sine of half the angle).
const MET: f32 = 1e-6;

/// The body of all characters.
#[derive(Clone, Debug)]
pub(crate) struct People {
    body: Body,
    parts: Parts,
    natural: Natural,
    /// The joint of the root that carries the body.
    root: usize,
}

impl Crowd {
    /// Adds a whole human, solved after all solvers so far as `sinew_rig::Body` does. It is six solvers, one for each part:
    /// hips, head, left hand, right hand, left foot, right foot. Each has a goal of its own: a
    /// [point](crate::CrowdTarget::new), a point with a [rotation](crate::CrowdTarget::rotation), or none. The root that
    /// carries the hips is moved.
    ///
    /// Lanes serve six parts with position and rotation at weight 1, within reach of a trunk that need not lean for the
    /// hands. All else is solved by the core, at its price ([`Goals::is_by_core`](crate::Goals::is_by_core) tells which).
    /// So is who is near a limit or beyond it, and who has joints between those of the body's limbs, or turned ones
    /// above them. Elbows and knees may be hinges, and twist bones may hang beside forearms.
    pub fn body(mut self, body: &Body) -> Result<Self, CrowdError> {
        self.steps.push(Step::Body(Box::new(People::new(&self.skeleton, &self.bones, body)?)));
        self.steps.extend((1..PARTS).map(|_| Step::Part));
        self.plan();
        Ok(self)
    }
}

impl People {
    fn new(skeleton: &sinew::Skeleton, bones: &[Bone], body: &Body) -> Result<Self, CrowdError> {
        let parts = Parts::of(skeleton, bones, body)?;
        let mut root = parts.hips;
        while let Some(parent) = bones[root].parent {
            root = parent as usize;
        }
        Ok(Self { body: body.clone(), parts, natural: Natural::new(), root })
    }

    /// The joints of its parts.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        self.parts.ends.iter().map(|(joint, _)| joint.index())
    }

    pub(crate) fn root(&self) -> usize {
        self.root
    }
}

/// A part's place and rotation.
#[derive(Clone, Copy)]
struct Frame<L: Lanes> {
    place: Vector<L>,
    turn: Turn<L>,
}

impl Solves for People {
    /// Solves the bodies of all characters from a lane on; the model transforms of the parts must be up to date.
    #[inline(always)]
    fn run<L: Lanes>(&self, like: L, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, at: usize) {
        let (zero, one) = (like.of(0.0), like.of(1.0));
        let (mut is_asked, mut is_plain, mut is_met) = (like.no_lane(), like.every_lane(), like.every_lane());
        let mut told = [Frame { place: Vector(zero, zero, zero), turn: Turn::of(like, [0.0, 0.0, 0.0, 1.0]) }; PARTS];
        let (near, leg) = (like.of(MET), self.parts.leg);
        for (part, (frame, (joint, _))) in told.iter_mut().zip(&self.parts.ends).enumerate() {
            let goal = &tile.goals[ASKED * (step + part)..][..ASKED];
            let (weight, w) = (like.load(&goal[6].0[at..]), like.load(&goal[7].0[at..]));
            *frame =
                Frame { place: Vector::load(like, goal, at), turn: Turn { v: Vector::load(like, &goal[3..], at), w } };
            is_asked = is_asked | zero.is_less(weight) | !weight.is_finite();
            is_plain = is_plain & one.is_at_most(weight) & w.is_less(zero);
            let off = frame.place - tile.place(like, joint.index(), at);
            let turned = frame.turn.conjugate().then_after(tile.turn(like, joint.index(), at)).v;
            let close = near * like.of(leg);
            is_met = is_met & off.dot(off).is_at_most(close * close) & turned.dot(turned).is_at_most(near * near);
        }
        is_met = is_met & is_plain;
        let is_tried = is_asked & is_plain & !is_met;
        let mut moves = like.no_lane();
        let mut off = zero;
        if self.parts.is_known && L::any(is_tried) {
            let answer = Answer::of(self, &told, (tile.lengths, at));
            let long = if tile.lengths.is_empty() { is_tried } else { self.parts.are_long(like, tile.lengths, at) };
            let locals = answer.locals(self);
            let (twisted, known) = answer.twisted(self, tile, at);
            moves = is_tried & answer.clear & long & known & self.hold(like, &locals);
            for between in &self.parts.between {
                moves = moves & between.is_at_rest(like, tile, at);
            }
            off = answer.trunk.off;
            moves = put_hips(like, crowd, self, &told[0], moves, tile, at);
            for (span, local) in self.parts.spans().zip(&locals) {
                tile.set_local(span.joint, *local, moves, at);
            }
            for (arm, twisted) in self.parts.arms.iter().zip(&twisted) {
                for (twist, local) in arm.twists.iter().zip(twisted) {
                    tile.set_local(twist.span.joint, *local, moves, at);
                }
            }
        }
        let results = &mut tile.results[TOLD * step..][..TOLD * PARTS];
        for (part, result) in results.chunks_exact_mut(TOLD).enumerate() {
            L::select(moves | is_met, like.of(REACHED), like.of(IGNORED)).store(&mut result[0].0[at..]);
            let off = if part == 1 { L::select(moves, off, zero) } else { zero };
            off.store(&mut result[1].0[at..]);
            L::select(moves, one, zero).store(&mut result[2].0[at..]);
        }
        self.solve_left(like, crowd, is_asked & !moves & !is_met, step, tile, at);
    }
}

/// Puts the hips where they are told to be: the root that carries them goes along.
#[inline(always)]
fn put_hips<L: Lanes>(
    like: L,
    crowd: &Crowd,
    people: &People,
    hips: &Frame<L>,
    moves: L::Mask,
    tile: &mut Tile<'_>,
    at: usize,
) -> L::Mask {
    let joint = people.parts.hips;
    let local = crowd.above(like, joint, tile, at).conjugate().then_after(hips.turn).renormalized();
    let root = &crowd.bones[people.root];
    let way = Turn::of(like, root.base).conjugate().rotate(hips.place - tile.place(like, joint, at));
    let lines = &mut tile.places[3 * root.root..][..3];
    let place = Vector::load(like, lines, at);
    let new = place + way;
    let moves = moves & (new.dot(new) + local.w).is_finite() & people.parts.inside.holds(local);
    Vector::select(moves, new, place).store(lines, at);
    tile.set_local(joint, local, moves, at);
    moves
}

/// Rotations of all joints but the hips, against the T-pose.
struct Answer<L: Lanes> {
    /// In the frame of the hips.
    trunk: trunk::Bent<L>,
    head: Turn<L>,
    /// Arms in the frame of the chest, legs in that of the hips.
    limbs: [limb::Placed<L>; 4],
    clear: L::Mask,
}

impl<L: Lanes> Answer<L> {
    #[inline(always)]
    fn of(people: &People, told: &[Frame<L>; PARTS], (lengths, at): (&[crate::block::Line], usize)) -> Self {
        let People { parts, natural, .. } = people;
        let like = told[0].place.0;
        let ends = Frames::of(parts, told);
        let [head, left, right] = [ends.seen(1), ends.seen(2), ends.seen(3)];
        let first = parts.trunk[0].bone(like, lengths, at).0;
        let per = like.of(1.0) / parts.arms[0].reach(like, lengths, at);
        let across = (left.place - right.place) * (per * like.of(parts.arms[0].sign));
        let middle = ((left.place + right.place) * like.of(0.5) - head.place) * per;
        let seen = (head.place - first, head.turn, [across, middle]);
        let trunk = trunk::bend(natural, &parts.trunk[1..], parts.chest, seen, (lengths, at));
        let (back, from) = (trunk.turns[parts.chest].conjugate(), first + trunk.chest);
        let mut clear = trunk.clear;
        let mut limbs = [limb::Placed::none(like); 4];
        for side in 0..2 {
            let hand = ends.seen(2 + side);
            let hand = (back.rotate(hand.place - from), back.then_after(hand.turn));
            limbs[side] = limb::arm(natural, &parts.arms[side], hand, (lengths, at));
            let foot = ends.seen(4 + side);
            limbs[2 + side] = limb::leg(natural, &parts.legs[side], (foot.place, foot.turn), (lengths, at));
            clear = clear & limbs[side].clear & limbs[2 + side].clear;
        }
        Self { trunk, head: head.turn, limbs, clear }
    }

    /// Local rotations of the [joints](Parts::spans), one after another.
    #[inline(always)]
    fn locals(&self, people: &People) -> [Turn<L>; JOINTS] {
        let parts = &people.parts;
        let none = Turn::of(self.trunk.off, [0.0, 0.0, 0.0, 1.0]);
        let (mut locals, mut count, mut above) = ([none; JOINTS], 0, none);
        for (place, span) in parts.trunk.iter().enumerate() {
            let turn = if place + 1 == parts.trunk.len() { self.head } else { self.trunk.turns[place] };
            locals[count] = span.local(above, turn);
            (above, count) = (turn, count + 1);
        }
        for (limb, placed) in parts.arms.iter().chain(&parts.legs).zip(&self.limbs) {
            if let Some(collar) = &limb.collar {
                locals[count] = collar.local(none, placed.collar);
                count += 1;
            }
            locals[count] = limb.upper.local(placed.collar, placed.upper);
            locals[count + 1] = limb.lower.local(placed.upper, placed.lower);
            locals[count + 2] = limb.end.local(placed.lower, placed.end);
            count += 3;
        }
        locals
    }

    /// Local rotations of both arms' twist bones, and where these are known.
    #[inline(always)]
    fn twisted(&self, people: &People, tile: &Tile<'_>, at: usize) -> ([[Turn<L>; twist::MOST]; 2], L::Mask) {
        let none = Turn::of(self.trunk.off, [0.0, 0.0, 0.0, 1.0]);
        let (mut locals, mut known) = ([[none; twist::MOST]; 2], none.w.is_at_most(none.w));
        for ((arm, placed), locals) in people.parts.arms.iter().zip(&self.limbs).zip(&mut locals) {
            for (twist, local) in arm.twists.iter().zip(locals) {
                let (own, clear) = twist.local(arm, placed, tile, at);
                (*local, known) = (own, known & clear);
            }
        }
        (locals, known)
    }
}

impl People {
    /// Where all joints are clearly inside their limits; of hinges elbows and knees were asked before.
    #[inline(always)]
    fn hold<L: Lanes>(&self, like: L, locals: &[Turn<L>; JOINTS]) -> L::Mask {
        let mut hold = like.every_lane();
        if self.parts.is_free {
            return hold;
        }
        for (span, local) in self.parts.spans().zip(locals) {
            hold = hold & span.inside.holds(*local);
        }
        hold
    }
}

/// The parts as the hips see them, counted from the T-pose.
struct Frames<'a, L: Lanes> {
    parts: &'a Parts,
    told: &'a [Frame<L>; PARTS],
    back: Turn<L>,
}

impl<'a, L: Lanes> Frames<'a, L> {
    #[inline(always)]
    fn of(parts: &'a Parts, told: &'a [Frame<L>; PARTS]) -> Self {
        let turn = told[0].turn;
        Self { parts, told, back: Turn::of(turn.w, parts.own[1]).then_after(turn.conjugate()) }
    }

    #[inline(always)]
    fn seen(&self, part: usize) -> Frame<L> {
        let Frame { place, turn } = self.told[part];
        let own = Turn::of(turn.w, self.parts.ends[part].1);
        Frame { place: self.back.rotate(place - self.told[0].place), turn: self.back.then_after(turn).then_after(own) }
    }
}
