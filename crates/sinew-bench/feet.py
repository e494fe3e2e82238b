#!/usr/bin/env python3
"""Plants walks and runs of many bodies on four grounds by `sinew plant --json`, and tells what is off.

    feet.py SINEW DATA                        the table, and what is over the bounds
    feet.py SINEW DATA --save now.json        the measures too
    feet.py SINEW DATA --than before.json     what changed since

SINEW is the command (`target/release/sinew`), DATA the folder of test data (SINEW_TEST_DATA). --live steps as in a game loop,
--only WORD measures clips whose name has the word, --ground WORD that ground, --rate 30 frames so many times a second. Lengths are millimetres of a body whose legs are as
long as those of rigs/human.glb.
"""
import json
import pathlib
import subprocess

import measures

GROUNDS = ["flat", "slope:10", "stairs", "rough:3"]
HUMAN_LEG = 0.863
HUMAN = pathlib.Path(__file__).resolve().parents[2] / "rigs" / "human.glb"
# Over these a measure is off: times the clip's acceleration, mm deep, mm a frame, mm from the clip in the median (on flat ground).
BOUNDS = {"ratio": 2.0, "deep": 5.0, "slide": 1.0, "away": 30.0}


def clips(data):
    """Name, rig, clip, laps."""
    recorded = {
        "cmuWalk": "bvh/cmu_12_01_walk", "cmuStartStop": "bvh/cmu_131_01_start_walk_stop", "mhWalk": "bvh/makehuman_walk1",
        "pymo": "bvh/pymo_8walk", "toolbox": "bvh/toolbox_walk01", "fairZombie": "bvh/fair1_zombie",
        "dmWalk": "mocap/deepmimic_walk", "dmJog": "mocap/deepmimic_jog", "dmRun": "mocap/deepmimic_run",
        "dmStealthy": "mocap/deepmimic_stealthy_walk", "dmZombie": "mocap/deepmimic_zombie_walk", "dmDance": "mocap/deepmimic_dance_a",
    }
    for name, file in recorded.items():
        yield name, HUMAN, str(data / f"{file}.bvh"), 1
    yield "SuitWalk", data / "rigs/quaternius_Suit.glb", str(data / "mocap/deepmimic_walk.bvh"), 1
    own = {
        "Cesium": ("gltf/CesiumMan.glb", ["0"]),
        "wj": ("gltf/wildjam_Player.glb", ["RunForward-loop", "RunBackward-loop", "RunLeft-loop", "RunRight-loop"]),
        "Knight": ("gltf/kaykit_Knight.glb", [
            "Walking_A", "Walking_B", "Walking_C", "Walking_Backwards", "Running_A", "Running_B", "Running_Strafe_Left",
            "Running_Strafe_Right"]),
        "gd": ("gltf/godot_platformer_player.glb", ["walk", "run"]),
        "gdEnemy": ("gltf/godot_platformer_enemy.glb", ["walk"]),
        "greenman": ("gltf/greenman.glb", ["2_move"]),
        "kenney": ("gltf/kenney_character.glb", ["walk"]),
        "Fox": ("gltf/Fox.glb", ["Walk", "Run"]),
        "Wolf": ("rigs/quaternius_Wolf.glb", ["AnimalArmature|Walk", "AnimalArmature|Gallop"]),
        "Trex": ("rigs/quaternius_Trex.glb", ["Armature|TRex_Walk", "Armature|TRex_Run"]),
        "Spider": ("rigs/quaternius_Spider.glb", ["SpiderArmature|Spider_Walk"]),
    }
    for body, (file, names) in own.items():
        for clip in names:
            short = clip.split("|")[-1].removesuffix("-loop").removeprefix("2_").removeprefix(f"{body}_").removeprefix("TRex_")
            yield body + short.replace("Walking_", "Walk").replace("Running_", "Run"), data / file, clip, 3


def measure(sinew, more, rig, clip, laps, ground):
    """The measures of a clip on a ground; what is said where it cannot be planted."""
    command = [sinew, "plant", str(rig), clip, "--ground", ground, "--json"] + more
    run = subprocess.run(command + ["--laps", str(laps)], capture_output=True, text=True)
    if run.returncode and "on the spot" in run.stderr:
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        return run.stderr.strip()
    said = json.loads(run.stdout)
    size = 1000.0 * HUMAN_LEG / said["leg"]
    worst = lambda side, what: max((foot[what] for foot in said[side]["feet"]), default=0.0) * size
    return {
        "ratio": said["acceleration"]["ratio"], "joint": said["acceleration"]["joint"], "time": said["acceleration"]["time"],
        "asked": said["acceleration"]["asked"], "deep": worst("after", "penetration"), "slide": worst("after", "slide"),
        "float": worst("after", "floating_median"), "away": said["away"]["distance"] * size, "far": said["away"]["joint"],
        "pops": said["after"]["pops"], "slid": worst("before", "slide"), "clip_deep": worst("before", "penetration"),
        "frames": said["frames"],
    }


def off(ground, found):
    """The measures that are over their bounds."""
    return [what for what, bound in BOUNDS.items() if found[what] > bound and (what != "away" or ground == "flat")]


def line(ground, one):
    marks = " ".join(off(ground, one))
    if "ratio" in marks:
        marks += f" ({one['joint']} at {one['time']:.2f}, asked {one['asked']:.2f})"
    return (f"{one['ratio']:>7.2f}{one['deep']:>7.1f}{one['slide']:>7.2f}{one['away']:>7.0f}{one['float']:>7.1f}{one['pops']:>5}"
            f"{one['slid']:>7.2f}  {marks}")


def summary(ground, ones):
    count = {what: sum(what in off(ground, one) for one in ones) for what in BOUNDS}
    mean = {what: sum(one[what] for one in ones) / len(ones) for what in ("ratio", "away")}
    worst = {what: max(one[what] for one in ones) for what in ("ratio", "deep", "slide", "away")}
    return (f"{len(ones)} clips: {count['ratio']} over twice (mean {mean['ratio']:.2f}, worst {worst['ratio']:.1f}), "
            f"{count['deep']} deep (worst {worst['deep']:.1f} mm), {count['slide']} slide (worst {worst['slide']:.2f} mm), "
            f"away {mean['away']:.1f} mm in the mean" + (f", {count['away']} over 30" if ground == "flat" else ""))


def main():
    parser = measures.options(__doc__)
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--rate", type=float)
    args = parser.parse_args()
    more = (["--live"] if args.live else []) + (["--rate", str(args.rate)] if args.rate else [])
    jobs = {f"{name} {ground}": (args.sinew, more, rig, clip, laps, ground)
            for name, rig, clip, laps in clips(args.data) for ground in GROUNDS
            if args.only.lower() in name.lower() and args.ground in ground}
    found = measures.Measures(args, jobs, measure)
    print(f"{'clip':<24}{'ground':<9}{'times':>7}{'deep':>7}{'slide':>7}{'away':>7}{'float':>7}{'pops':>5}{'slid':>7}  off")
    found.print_rows([24, 9], line, lambda what, was: 0.05 * BOUNDS.get(what, float("inf")))
    print()
    found.print_sums(GROUNDS, summary)


if __name__ == "__main__":
    main()
