//! The numbers of [`super::natural`]. Written by `cargo run --release -p sinew-bench -- body-fit`, from motion capture whose
//! licences allow it (CMU Graphics Lab, free for all use; others MIT, BSD or CC0; `shared/data` names each):
//! `cmu_01_01_jumps`,
//! `cmu_12_01_walk`,
//! `cmu_131_01_start_walk_stop`,
//! `cmu_jumping_jacks`,
//! `fair1_dab`,
//! `fair1_jumping`,
//! `fair1_zombie`,
//! `freebvh`,
//! `makehuman_walk1`,
//! `pymo_8walk`,
//! `toolbox_walk01`,
//! `cmu_01_03_climb_hang_swing`,
//! `cmu_131_03_hop`,
//! `deepmimic_backflip`,
//! `deepmimic_cartwheel`,
//! `deepmimic_crawl`,
//! `deepmimic_dance_a`,
//! `deepmimic_dance_b`,
//! `deepmimic_dance_spin`,
//! `deepmimic_getup_facedown`,
//! `deepmimic_getup_faceup`,
//! `deepmimic_jog`,
//! `deepmimic_jump`,
//! `deepmimic_kick`,
//! `deepmimic_punch`,
//! `deepmimic_roll`,
//! `deepmimic_run`,
//! `deepmimic_sideflip`,
//! `deepmimic_spin`,
//! `deepmimic_spinkick`,
//! `deepmimic_stealthy_walk`,
//! `deepmimic_walk`,
//! `deepmimic_zombie_walk`,
//! `fair1_wave_hello`,
//! `pybvh_fingers`,
//! `rokoko_jesse_dance`.

/// Where a knee, by line and foot points.
pub static KNEE: [[f64; 3]; 7] = [
    [0.3953, -0.2952, 0.6736],
    [-0.0173, 0.2975, -0.2058],
    [-0.0094, 0.1421, -0.0183],
    [0.0947, 0.5753, -0.1248],
    [-0.3891, 0.4559, 0.3124],
    [-0.0238, -0.1052, 0.0948],
    [-0.4118, -0.3437, 0.0942],
];

/// Where a knee, by line points.
pub static KNEE_FREE: [[f64; 3]; 4] =
    [[0.1075, -0.3098, 0.4726], [0.0478, 0.8703, -0.2493], [-0.0471, -0.1409, -0.3753], [0.0251, 0.7535, 0.0931]];

/// Where an elbow, by line and hand points.
pub static ELBOW: [[f64; 3]; 13] = [
    [0.3416, -0.0426, -0.1130],
    [-0.1284, -0.0857, -0.0983],
    [0.2010, 0.1355, 0.0468],
    [-0.0515, -0.1955, -0.0071],
    [-0.3180, -0.1446, -0.0376],
    [-0.1131, -0.5611, 0.0127],
    [0.0170, 0.2069, -0.5068],
    [-0.1610, -0.1897, -0.1173],
    [0.0437, 0.0737, 0.1127],
    [0.1629, -0.0601, -0.0212],
    [-0.4085, 0.1334, -0.0242],
    [0.0864, -0.3342, -0.0684],
    [-0.1160, 0.0983, -0.4081],
];

/// Where an elbow, by line points.
pub static ELBOW_FREE: [[f64; 3]; 8] = [
    [1.1629, -0.8918, -0.0391],
    [0.2165, 0.1944, -0.0985],
    [0.0717, -0.0321, 0.2238],
    [-1.0676, -0.2102, -0.1844],
    [-0.5769, 0.5832, -0.2680],
    [-0.6301, -0.3127, -0.4113],
    [0.2183, 0.2065, 0.3432],
    [1.3145, -0.0890, 0.4236],
];

/// How a collar bone is turned, by the hand.
pub static COLLAR: [[f64; 3]; 4] =
    [[0.0156, 0.0713, 0.1148], [-0.0296, -0.0035, -0.0600], [0.0077, 0.0668, 0.1351], [0.0218, -0.3461, -0.1295]];

/// How hips lie below a head.
pub(super) static HIPS_PLACE: [[f64; 3]; 11] = [
    [0.0000, -0.2780, -0.0222],
    [0.0000, 0.0597, -0.1586],
    [0.1553, 0.0000, 0.0000],
    [0.0000, -0.0098, 0.0550],
    [0.0000, 0.4778, 0.0512],
    [0.0000, -0.0341, 0.0102],
    [0.0017, 0.0000, 0.0000],
    [0.0334, 0.0000, 0.0000],
    [0.0224, 0.0000, 0.0000],
    [0.0000, 0.0492, 0.0140],
    [0.0000, -0.0500, 0.0310],
];

/// How hips are turned below a head.
pub(super) static HIPS_TURN: [[f64; 3]; 11] = [
    [-0.1183, 0.0000, 0.0000],
    [0.8205, 0.0000, 0.0000],
    [0.0000, -0.1652, 0.6313],
    [0.0169, 0.0000, 0.0000],
    [-0.3271, 0.0000, 0.0000],
    [-0.0215, 0.0000, 0.0000],
    [0.0000, 0.1550, 0.0072],
    [0.0000, -0.4298, -0.0024],
    [0.0000, -0.0627, -0.1004],
    [-0.0681, 0.0000, 0.0000],
    [0.0666, 0.0000, 0.0000],
];

/// How the trunk nods.
pub static PITCH: [f64; 12] =
    [0.9972, -0.1390, -0.0137, 0.2317, 0.0040, -0.0609, -0.4354, 0.0039, -0.0130, 0.0043, 0.0057, -0.0059];

/// How the trunk turns.
pub static YAW: [f64; 14] = [
    0.1077, 0.0016, -0.1606, -0.0057, 0.0382, 0.6652, 0.0840, -0.0075, 0.0298, -0.0870, -0.1341, -0.0494, 0.0679,
    0.1787,
];

/// How the trunk leans aside.
pub static ROLL: [f64; 14] =
    [-0.0767, 0.0100, 0.9372, 0.0469, 0.0281, 0.0156, 0.0231, 0.2207, 0.0023, 0.0300, -0.0176, 0.0251, -0.0209, 0.0100];
