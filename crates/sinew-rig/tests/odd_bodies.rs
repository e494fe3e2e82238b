//! Bodies that mislead, each as a small made skeleton, and the real files that showed them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::{Pose, Skeleton};
use sinew_rig::{BodyKind, Evidence, LimbKind, Part, Recognition, Role, Side, recognize};

use crate::made::{self, Row, dog, human};

/// A skeleton with its names, and what is recognised with them or without.
struct Seen {
    skeleton: Skeleton,
    found: Recognition,
}

impl Seen {
    fn of(rows: &[Row<'_>]) -> Self {
        let skeleton = made::skeleton(DAffine3::IDENTITY, rows);
        let found = recognize(&Evidence::of(&skeleton));
        Self { skeleton, found }
    }

    fn without_names(rows: &[Row<'_>]) -> Self {
        let skeleton = made::skeleton(DAffine3::IDENTITY, rows);
        let silent = skeleton.revised(|_, spec| spec.name = None).unwrap();
        let found = recognize(&Evidence::of(&silent)).on(&skeleton);
        Self { skeleton, found }
    }

    /// The name of the joint that plays a part; empty where none does.
    fn plays(&self, words: &str) -> &str {
        let role = Role::from_words(words).unwrap();
        let joint = self.skeleton.iter().find(|joint| {
            let same = self.skeleton.iter().find(|other| other.index() == joint.index()).unwrap();
            self.found.role(same).is_some_and(|guess| guess.role == role)
        });
        joint.map_or("", |joint| self.skeleton.name(joint).unwrap())
    }

    /// The names of a limb's joints; empty where there is none.
    fn limb(&self, name: &str) -> String {
        let limb = self.found.limbs.iter().find(|limb| limb.to_string() == name);
        let names = limb.map(|limb| limb.joints.iter().map(|&joint| self.skeleton.name(joint).unwrap()).collect());
        names.map_or(String::new(), |names: Vec<&str>| names.join(" "))
    }

    fn count(&self, fits: impl Fn(&LimbKind) -> bool) -> usize {
        self.found.limbs.iter().filter(|limb| fits(&limb.kind)).count()
    }

    fn fingers(&self) -> usize {
        self.count(|kind| matches!(kind, LimbKind::Finger(_)))
    }
}

/// The rows with others in place of those that begin with the same letters and hang on the same joint.
fn with(rows: Vec<Row<'static>>, instead: &[(usize, Row<'static>)]) -> Vec<Row<'static>> {
    let mut rows = rows;
    for (place, row) in instead {
        rows[*place] = row.clone();
    }
    rows
}

/// Left and right of a row on the side: names with `*` for the side's letter, and places on the left.
fn pair(names: &'static str, parent: &'static str, left: &[[f64; 3]]) -> [Row<'static>; 2] {
    let side = |letter: &str, sign: f64| -> Row<'static> {
        let names: &'static str = Box::leak(names.replace('*', letter).into_boxed_str());
        (names, parent, left.iter().map(|&[x, y, z]| [sign * x, y, z]).collect())
    };
    [side("L", 1.0), side("R", -1.0)]
}

/// The human with other arms or legs.
fn human_with(limb: usize, [left, right]: [Row<'static>; 2]) -> Vec<Row<'static>> {
    with(human(), &[(limb, left), (limb + 1, right)])
}

const ARMS: usize = 1;
const LEGS: usize = 3;

#[test]
fn of_joints_at_one_place_the_last_plays_the_part() {
    let leg = |names, doubled: usize| {
        let mut places = vec![[0.1, 0.9, 0.0], [0.1, 0.48, 0.0], [0.1, 0.06, 0.0], [0.1, 0.0, 0.12]];
        places.insert(doubled, places[doubled]);
        human_with(LEGS, pair(names, "hips", &places))
    };
    for (rows, played) in [
        (leg("hip.* thigh.* shin.* foot.* toes.*", 0), ["thigh.L", "shin.L", "foot.L", "toes.L"]),
        (leg("hip.* leg.* knee.* foot.* toes.*", 0), ["leg.L", "knee.L", "foot.L", "toes.L"]),
        (leg("thigh.* knee.* shin.* foot.* toes.*", 1), ["thigh.L", "shin.L", "foot.L", "toes.L"]),
        (leg("thigh.* shin.* ankle.* foot.* toes.*", 2), ["thigh.L", "shin.L", "foot.L", "toes.L"]),
    ] {
        for seen in [Seen::of(&rows), Seen::without_names(&rows)] {
            let found = ["left upper leg", "left lower leg", "left foot", "left toes"].map(|words| seen.plays(words));
            assert_eq!((found, seen.found.forward), (played, DVec3::Z), "{}", rows[LEGS].0);
        }
    }
}

/// `mid.L` of an ear is no finger, and in an arm it is the elbow; fingers hang below a hand.
#[test]
fn fingers_hang_below_a_hand() {
    let mut rows = human();
    rows.extend(pair("mid.*", "hips", &[[0.15, 0.8, -0.1]]));
    rows.extend(pair("index.* ring.*", "head", &[[0.1, 1.7, 0.0], [0.1, 1.8, 0.0]]));
    rows.extend(
        pair("index1.* index2.* index3.*", "hand.L", &[[0.8, 1.43, 0.02], [0.83, 1.43, 0.02], [0.86, 1.43, 0.02]])
            .into_iter()
            .take(1),
    );
    let seen = Seen::of(&rows);
    assert_eq!((seen.fingers(), seen.limb("left index finger").as_str()), (1, "index1.L index2.L index3.L"));

    let arm = [[0.18, 1.43, 0.0], [0.46, 1.43, 0.0], [0.71, 1.43, 0.0]];
    let seen = Seen::of(&human_with(ARMS, pair("upper.* mid.* low.*", "chest", &arm)));
    assert_eq!((seen.fingers(), seen.plays("left lower arm"), seen.plays("left hand")), (0, "mid.L", "low.L"));

    let wing = [[0.1, 1.4, -0.1], [0.6, 1.7, -0.2], [1.2, 1.6, -0.2]];
    let mut rows = human();
    rows.extend(pair("wing_root.* wing_mid.* wing_tip1.*", "chest", &wing));
    let seen = Seen::of(&rows);
    assert_eq!((seen.fingers(), seen.count(|kind| *kind == LimbKind::Wing)), (0, 2));
}

/// Face and names go before feet that point backwards, on a beast its trunk.
#[test]
fn feet_that_point_back_do_not_turn_the_body() {
    let leg = [[0.1, 0.9, 0.0], [0.1, 0.48, 0.0], [0.1, 0.06, 0.0], [0.1, 0.0, -0.12]];
    let mut rows = human_with(LEGS, pair("thigh.* shin.* foot.* toes.*", "hips", &leg));
    rows.extend(pair("eye.*", "head", &[[0.03, 1.62, 0.08]]));
    let seen = Seen::of(&rows);
    assert_eq!((seen.found.forward, seen.found.forward_reason.as_str()), (DVec3::Z, "its face is there"));
    // A heel is no foot, and points nowhere.
    let seen = Seen::of(&human_with(LEGS, pair("thigh.* shin.* foot.* heel.*", "hips", &leg)));
    assert_eq!(seen.found.forward, DVec3::Z);
    // With nothing but the sides in names against them clear feet still win: names are often the other way round.
    let seen = Seen::of(&human_with(LEGS, pair("thigh.* shin.* foot.* toes.*", "hips", &leg)));
    assert_eq!(seen.found.forward, DVec3::NEG_Z);
    assert!(seen.found.forward_reason.contains("the other way round"));

    let legs = |z: f64| [[0.1, 0.6, z], [0.1, 0.33, z], [0.1, 0.06, z], [0.1, 0.0, z - 0.05]];
    let [hind_left, hind_right] = pair("thigh.* shin.* foot.* toes.*", "hips", &legs(-0.4));
    let [left, right] = pair("front_thigh.* front_shin.* front_foot.* front_toes.*", "chest", &legs(0.25));
    let rows = with(dog(), &[(1, hind_left), (2, hind_right), (3, left), (4, right)]);
    for seen in [Seen::of(&rows), Seen::without_names(&rows)] {
        assert_eq!(seen.found.forward, DVec3::Z, "{}", seen.found.forward_reason);
    }
}

#[test]
fn a_turned_head_turns_no_beast() {
    let back =
        [[0.0, 0.65, -0.4], [0.0, 0.67, -0.1], [0.0, 0.67, 0.2], [0.2, 0.8, 0.1], [0.2, 0.95, -0.5], [0.2, 1.0, -0.9]];
    let legs = |z: f64| [[0.1, 0.6, z], [0.1, 0.33, z], [0.1, 0.06, z], [0.1, 0.0, z]];
    let [hind_left, hind_right] = pair("thigh.* shin.* foot.* toes.*", "hips", &legs(-0.4));
    let [left, right] = pair("front_thigh.* front_shin.* front_foot.* front_toes.*", "chest", &legs(0.25));
    let trunk = ("hips spine chest neck head nose", "", back.to_vec());
    let rows = with(dog(), &[(0, trunk), (1, hind_left), (2, hind_right), (3, left), (4, right)]);
    for seen in [Seen::of(&rows), Seen::without_names(&rows)] {
        assert_eq!(seen.found.forward, DVec3::Z, "{}", seen.found.forward_reason);
    }
}

/// As a tyrannosaurus is rigged: all limbs hang on one joint, the fore legs are arms, the hind feet bones of their own.
fn rex() -> Vec<Row<'static>> {
    let trunk = [
        [0.0, 0.0, 0.0],
        [0.0, 2.7, 0.6],
        [0.0, 2.0, 0.2],
        [0.0, 2.0, 0.7],
        [0.0, 2.3, 1.2],
        [0.0, 2.5, 1.6],
        [0.0, 2.7, 1.9],
        [0.0, 2.9, 2.7],
    ];
    let hind = [[0.1, 1.9, 0.0], [0.6, 1.9, 0.0], [0.6, 0.8, -0.4], [0.6, 0.1, -0.2]];
    let fore = [[0.1, 2.0, 0.9], [0.4, 2.0, 0.9], [0.4, 1.65, 1.0], [0.35, 1.4, 1.2], [0.33, 1.1, 1.0]];
    let mut rows = vec![
        ("root body hips torso shoulders neck head snout", "", trunk.to_vec()),
        ("tail1 tail2 tail3", "body", vec![[0.0, 1.9, -0.3], [0.0, 1.7, -1.0], [0.0, 1.5, -2.0]]),
    ];
    rows.extend(pair("BackLeg.* BackUpLeg.* BackLowLeg.* BackEnd.*", "body", &hind));
    rows.extend(pair("FrontLeg.* FrontUpLeg.* FrontLowLeg.* FrontFoot.* FrontEnd.*", "body", &fore));
    rows.extend(pair("BackFoot.* BackFootEnd.*", "root", &[[0.6, 0.05, -0.15], [0.6, 0.05, 0.6]]));
    rows
}

#[test]
fn a_beast_on_two_legs_has_small_arms() {
    let seen = Seen::of(&rex());
    assert_eq!((seen.found.body, seen.found.forward), (BodyKind::Biped, DVec3::Z));
    assert_eq!(seen.limb("left leg"), "BackLeg.L BackUpLeg.L BackLowLeg.L");
    assert_eq!(seen.limb("right arm"), "FrontLeg.R FrontUpLeg.R FrontLowLeg.R FrontFoot.R");
    assert_eq!((seen.limb("spine").as_str(), seen.limb("head").as_str()), ("hips torso shoulders", "neck head"));
    assert_eq!(["left upper leg", "left lower leg"].map(|words| seen.plays(words)), ["BackUpLeg.L", "BackLowLeg.L"]);
    let arm = ["right upper arm", "right lower arm", "right hand"].map(|words| seen.plays(words));
    assert_eq!(arm, ["FrontUpLeg.R", "FrontLowLeg.R", "FrontFoot.R"]);
}

/// The feet belong to their legs, and are brought along, turned with them or not.
#[test]
fn feet_of_their_own_go_with_their_legs() {
    let mut rows = rex();
    // What stands beside a foot and is called none is none.
    rows.push(("ball.L", "root", vec![[0.65, 0.1, -0.1]]));
    let seen = Seen::of(&rows);
    let named = |joint| seen.skeleton.name(joint).unwrap();
    let feet: Vec<_> = seen.found.detached_feet.iter().map(|&(foot, leg)| (named(foot), named(leg))).collect();
    assert_eq!(feet, [("BackFoot.L", "BackLowLeg.L"), ("BackFoot.R", "BackLowLeg.R")]);
    assert_eq!(seen.plays("left foot"), "BackFoot.L");
    let [shin, foot, other] = seen.skeleton.joints(["BackLowLeg.L", "BackFoot.L", "BackFoot.R"]).unwrap();
    let start = seen.skeleton.rest_pose();
    for keeps_turn in [false, true] {
        let mut pose = start.clone();
        pose.edit(&seen.skeleton).rotation(shin, DQuat::from_rotation_x(0.5));
        seen.found.carry_feet(&seen.skeleton, &start, &mut pose, |_| keeps_turn);
        let seen_from = |pose: &Pose| pose.model(shin).inverse().transform_point3(pose.position(foot));
        assert!(seen_from(&pose).distance(seen_from(&start)) < 1e-12, "the foot stays at the leg's end");
        let turned = pose.rotation(foot).angle_between(start.rotation(foot));
        assert!((turned - if keeps_turn { 0.0 } else { 0.5 }).abs() < 1e-6, "{turned}");
        assert_eq!(pose.model(other), start.model(other));
    }
}

/// A leg's last bone without an end in the file ends at the foot; walks and clips have that foot.
#[test]
fn legs_with_guessed_ends_end_at_their_feet() {
    let rows: Vec<Row<'_>> = rex()
        .into_iter()
        .map(|(names, parent, mut places)| {
            if names.starts_with("BackLeg") {
                places[3] = [0.6, 0.5, -0.3];
            }
            (names, parent, places)
        })
        .collect();
    let Seen { skeleton, .. } = Seen::of(&rows);
    let [low, end, foot] = skeleton.joints(["BackLowLeg.L", "BackEnd.L", "BackFoot.L"]).unwrap();
    for (tips, ends_at_foot) in [(vec![], false), (vec![end], true)] {
        let (prepared, found) = sinew_rig::prepare(&Evidence { tips, ..Evidence::of(&skeleton) });
        let rest = prepared.rest_pose();
        assert_eq!(
            rest.position(prepared.at(end.index()).unwrap()).distance(rest.position(foot)) < 1e-12,
            ends_at_foot
        );
        assert_eq!(rest.position(low), skeleton.rest_pose().position(low));
        for leg in found
            .feet_legs(&prepared, |_| false)
            .into_iter()
            .chain(found.gait_legs(&prepared).into_iter().map(|(_, leg)| leg))
        {
            assert!(leg.joints.len() == 4 && leg.apart.is_some() && leg.toe.is_some(), "{leg:?}");
        }
    }
}

/// Two legs and two wings are no human, with names or without; a human with wings has both.
#[test]
fn wings_are_no_arms_of_a_human() {
    let trunk = [[0.0, 0.5, -0.2], [0.0, 0.55, 0.1], [0.0, 0.7, 0.2], [0.0, 0.85, 0.3], [0.0, 0.85, 0.45]];
    let mut bird = vec![("hips spine neck head beak", "", trunk.to_vec())];
    bird.extend(pair("wing1.* wing2.* wing3.*", "spine", &[[0.1, 0.55, 0.1], [0.5, 0.55, 0.0], [0.9, 0.55, 0.0]]));
    let leg = [[0.1, 0.45, -0.1], [0.1, 0.25, 0.0], [0.1, 0.03, -0.1], [0.1, 0.0, 0.05]];
    bird.extend(pair("leg1.* leg2.* foot.* toe.*", "hips", &leg));
    for seen in [Seen::of(&bird), Seen::without_names(&bird)] {
        assert_eq!((seen.found.body, seen.found.forward), (BodyKind::Biped, DVec3::Z));
    }
    let mut angel = human();
    let wing = [[0.1, 1.4, -0.1], [0.6, 1.7, -0.2], [1.2, 1.6, -0.2], [1.7, 1.4, -0.2]];
    angel.extend(pair("wing1.* wing2.* wing3.* wing4.*", "chest", &wing));
    let seen = Seen::of(&angel);
    assert_eq!((seen.found.body, seen.plays("left hand")), (BodyKind::Humanoid, "hand.L"));
    assert_eq!(seen.limb("left wing"), "wing1.L wing2.L wing3.L wing4.L");
}

#[test]
fn fins_are_neither_arms_nor_legs() {
    let trunk =
        [[0.0, 0.5, 0.5], [0.0, 0.5, 0.2], [0.0, 0.5, -0.1], [0.0, 0.5, -0.4], [0.0, 0.5, -0.7], [0.0, 0.5, -0.9]];
    for name in ["fin", "flipper"] {
        let mut fish = vec![("root spine1 spine2 tail1 tail2 tail_fin", "", trunk.to_vec())];
        fish.push(("head jaw", "root", vec![[0.0, 0.5, 0.7], [0.0, 0.45, 0.8]]));
        let names: &'static str = Box::leak("N1.* N2.* N3.*".replace('N', name).into_boxed_str());
        fish.extend(pair(names, "root", &[[0.1, 0.4, 0.4], [0.25, 0.35, 0.3], [0.4, 0.3, 0.25]]));
        fish.push(("dorsal1 dorsal2", "spine1", vec![[0.0, 0.65, 0.2], [0.0, 0.75, 0.1]]));
        fish.extend(pair("pelvic_fin1.* pelvic_fin2.*", "spine2", &[[0.05, 0.4, -0.1], [0.1, 0.25, -0.15]]));
        let seen = Seen::of(&fish);
        assert_eq!((seen.found.body, seen.found.forward), (BodyKind::Other, DVec3::Z), "{}", seen.found.forward_reason);
        assert_eq!(seen.count(|kind| matches!(kind, LimbKind::Arm | LimbKind::Leg)), 0, "{name}");
        assert_eq!(seen.count(|kind| *kind == LimbKind::Fin), 5, "{name}: {:?}", seen.found.limbs);
        assert_eq!(seen.limb("tail"), "tail1 tail2 tail_fin");
    }
}

/// What one hand holds makes its arm no longer, with names or without.
#[test]
fn what_a_hand_holds_is_no_part_of_the_arm() {
    for held in [
        [[-0.75, 1.43, 0.1], [-0.75, 0.1, 0.1], [-0.75, 2.4, 0.1]],
        [[-0.75, 1.43, 0.05], [-0.75, 1.43, 0.5], [-0.75, 1.43, 0.9]],
    ] {
        let mut rows = human();
        rows.push(("katana blade point", "hand.R", held.to_vec()));
        for seen in [Seen::of(&rows), Seen::without_names(&rows)] {
            assert_eq!(
                (seen.found.body, seen.limb("right arm").as_str()),
                (BodyKind::Humanoid, "upper_arm.R forearm.R hand.R")
            );
            assert_eq!(["right upper arm", "right hand"].map(|words| seen.plays(words)), ["upper_arm.R", "hand.R"]);
        }
    }
}

/// A hand whose fingers hang on it, along a direction; with the names of a wrist and digits, or without.
#[test]
fn a_hand_alone_is_a_hand() {
    for down in [false, true] {
        let turned = |[x, y, z]: [f64; 3]| if down { [z, -x, y] } else { [x, y, z] };
        let row = |places: &[[f64; 3]]| places.iter().map(|&place| turned(place)).collect::<Vec<_>>();
        let finger = |z: f64| row(&[[0.09, 0.0, z], [0.13, 0.0, z], [0.16, 0.0, z]]);
        let thumb = row(&[[0.03, -0.01, 0.04], [0.06, -0.02, 0.07], [0.08, -0.03, 0.09]]);
        let hand: Vec<Row<'_>> = vec![
            ("forearm wrist", "", row(&[[-0.25, 0.0, 0.0], [0.0, 0.0, 0.0]])),
            ("thumb1 thumb2 thumb3", "wrist", thumb),
            ("index1 index2 index3", "wrist", finger(0.03)),
            ("middle1 middle2 middle3", "wrist", finger(0.01)),
            ("ring1 ring2 ring3", "wrist", finger(-0.01)),
            ("pinky1 pinky2 pinky3", "wrist", finger(-0.03)),
        ];
        // By shape alone a hand that points down is legs.
        let silent = (!down).then(|| Seen::without_names(&hand));
        for seen in [Some(Seen::of(&hand)), silent].into_iter().flatten() {
            assert_eq!((seen.found.body, seen.fingers()), (BodyKind::Hand, 5), "{:?}", seen.found.limbs);
            assert_eq!(
                (seen.limb("ring finger").as_str(), seen.limb("thumb").as_str()),
                ("ring1 ring2 ring3", "thumb1 thumb2 thumb3")
            );
        }
    }
}

/// The ball of a foot that is called a fore foot belongs to its leg.
#[test]
fn a_fore_foot_below_a_foot_is_its_toes() {
    let leg = [[0.1, 0.9, 0.0], [0.1, 0.48, 0.0], [0.1, 0.06, 0.0], [0.1, 0.0, 0.12]];
    let seen = Seen::of(&human_with(LEGS, pair("*Thigh *Shin *Foot *ForeFoot", "hips", &leg)));
    assert_eq!((seen.plays("left toes"), seen.found.body), ("LForeFoot", BodyKind::Humanoid));
    assert_eq!(seen.limb("left leg"), "LThigh LShin LFoot LForeFoot");
}

/// A folder of real files.
fn data(folder: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"))
        .join(folder)
}

fn of_file(file: &str) -> (Skeleton, Recognition) {
    let character = sinew_gltf::load(data("rigs").join(file)).unwrap();
    let found = recognize(&Evidence::of_character(&character));
    (character.skeleton, found)
}

#[test]
fn legs_of_any_body_are_told_with_their_feet() {
    for (rows, count) in [(&human()[..], 2), (&dog()[..], 4)] {
        let Seen { skeleton, found } = Seen::of(rows);
        let legs = found.feet_legs(&skeleton, |_| false);
        assert_eq!(legs.len(), count);
        for (leg, (limb, walks)) in legs.iter().zip(found.gait_legs(&skeleton)) {
            assert!(leg.joints.len() > 2 && leg.joints[0] == limb.joints[0] && limb.kind == LimbKind::Leg, "{leg:?}");
            assert!(walks.joints.starts_with(&leg.joints[..3]) && leg.apart.is_none(), "{walks:?}");
            let lowest = leg.end.or(leg.toe).unwrap_or(leg.joints[leg.joints.len() - 1]);
            assert!(skeleton.rest_pose().position(lowest).dot(found.up) < 0.1, "{leg:?}");
        }
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn legs_of_real_beasts_have_feet_that_are_bones_of_their_own() {
    for (file, count) in [("quaternius_Wolf.glb", 4), ("quaternius_Trex.glb", 2), ("quaternius_Spider.glb", 8)] {
        let (beast, found) = sinew_rig::load(data("rigs").join(file)).unwrap();
        let legs = found.feet_legs(&beast.skeleton, |joint| beast.is_inferred(joint));
        assert_eq!(legs.len(), count, "{file}");
        let apart = legs.iter().filter_map(|leg| leg.apart);
        assert!(apart.clone().count() == count, "{file}: {legs:?}");
        assert!(apart.clone().zip(&legs).all(|(foot, leg)| !leg.joints.contains(&foot)), "{file}");
        let walks = found.gait_legs(&beast.skeleton);
        assert!(apart.eq(walks.iter().filter_map(|(_, leg)| leg.apart)), "{file}: {walks:?}");
        if file.contains("Spider") {
            // Their bones have no end in the file.
            let rest = beast.skeleton.rest_pose();
            let gap =
                |leg: &sinew_motion::Leg| rest.position(leg.joints[3]).distance(rest.position(leg.apart.unwrap()));
            assert!(legs.iter().all(|leg| gap(leg) < 1e-9), "{file}: {legs:?}");
        }
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_beasts_are_what_they_look_like() {
    let (skeleton, rex) = of_file("quaternius_Trex.glb");
    // It stands in mid stride, its limbs askew.
    assert!(rex.body == BodyKind::Biped && rex.forward.dot(DVec3::Z) > 0.99, "{rex:?}");
    for (role, name) in [
        (Role::middle(Part::Hips), "Hips"),
        (Role::middle(Part::Head), "Head"),
        (Role::on(Side::Left, Part::Hand), "FrontFoot.L"),
        (Role::on(Side::Right, Part::UpperLeg), "BackUpLeg.R"),
        (Role::on(Side::Right, Part::Foot), "BackFoot.R"),
    ] {
        assert_eq!(rex.joint(&skeleton, role).and_then(|joint| skeleton.name(joint)), Some(name), "{role}");
    }
    for (file, feet) in [
        ("quaternius_Trex.glb", 2),
        ("quaternius_Wolf.glb", 4),
        ("quaternius_Spider.glb", 8),
        ("quaternius_Suit.glb", 0),
    ] {
        let (skeleton, found) = of_file(file);
        assert_eq!(found.detached_feet.len(), feet, "{file}");
        for &(foot, leg) in &found.detached_feet {
            let side = |joint| skeleton.name(joint).unwrap().chars().last();
            assert_eq!(side(foot), side(leg), "{file}");
        }
    }
}
