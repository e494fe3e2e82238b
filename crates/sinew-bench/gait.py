#!/usr/bin/env python3
"""Walks rigs along six paths on four grounds by `sinew walk --json`, and tells what is off.

    gait.py SINEW DATA                        the table, and what is over the bounds
    gait.py SINEW DATA --save now.json        the measures too
    gait.py SINEW DATA --than before.json     what changed since

SINEW is the command (`target/release/sinew`), DATA the folder of test data (SINEW_TEST_DATA). --only WORD walks rigs whose name has the
word, --path WORD and --ground WORD that way and that ground. Lengths are thousandths of the height of the hips; accelerations of the body
are in units of gravity, those of joints in thousands of radians a second squared.
"""
import json
import pathlib
import subprocess
import tempfile

import measures

OWN = pathlib.Path(__file__).resolve().parents[2] / "rigs"
GROUNDS = ["flat", "rough:3", "stairs", "slope:15"]
PATHS = ["line", "circle", "turn", "stops", "creep", "run"]
# Over these a walk is off.
BOUNDS = {"slide": 0.5, "miss": 1.0, "deep": 5.0, "sunk": 5.0, "cross": 10.0, "long": 99.5}
MEASURES = ["slide", "miss", "deep", "sunk", "cross", "frames", "long", "early", "body", "joint"]


def rigs(data):
    """Rigs in the repository and those of others with legs that walk."""
    own = sorted(OWN.glob("*.glb"))
    others = ["rigs/quaternius_Wolf", "rigs/quaternius_Spider", "rigs/quaternius_Trex", "rigs/quaternius_Suit", "gltf/Fox", "gltf/CesiumMan",
              "gltf/kaykit_Knight", "gltf/wildjam_Player", "gltf/godot_platformer_player", "gltf/godot_platformer_enemy",
              "gltf/odd/hexapod"]
    return own + [data / f"{name}.glb" for name in others] + [data / "gltf/cryptovoxels.vrm"]


def say(sinew, rig, more):
    run = subprocess.run([sinew, "walk", str(rig), "--json", "--rate", "120"] + more, capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr.strip()


def options(path, easy, height, folder):
    """What the command is told of a path: `stops` goes, turns sharply, stands, goes back."""
    if path in ("line", "circle", "turn"):
        return ["--path", path]
    if path == "creep":
        return ["--speed", str(0.1 * easy), "--seconds", "8"]
    if path == "run":
        return ["--speed", str(3.5 * easy), "--seconds", "3"]
    far, time = 2.5 * height, 2.5 * height / easy * 1.2
    rows = [(0, 0, 0, 0), (time, 0, far, 0), (time + 1, 0, far, 0), (2 * time + 1, far, far, 90), (2 * time + 2, far, far, 90),
            (3 * time + 2, far, 0.3 * far, 180)]
    file = pathlib.Path(folder) / f"{height}.csv"
    file.write_text("time,x,y,z,heading\n" + "".join(f"{t},{x},0,{z},{heading}\n" for t, x, z, heading in rows))
    return ["--path", str(file)]


def measure(sinew, rig, path, ground):
    first = say(sinew, rig, ["--seconds", "0.1"])
    if isinstance(first, str):
        return first
    height = first["height"]
    with tempfile.TemporaryDirectory() as folder:
        said = say(sinew, rig, ["--ground", ground] + options(path, first["speed"], height, folder))
    if isinstance(said, str):
        return said
    worst = lambda what: max(leg[what] for leg in said["legs"])
    size = 1000.0 / height
    # An easy walk is 0.4 of sqrt(g h).
    gravity = (first["speed"] / 0.4) ** 2 / height
    return {
        "legs": len(said["legs"]), "slide": worst("slide") * size, "miss": worst("miss") * size, "deep": worst("penetration") * size,
        "sunk": worst("sunk") * size, "cross": said["crossed"] * size, "frames": said["crossings"], "long": 100.0 * worst("extension"),
        "early": sum(leg["early"] for leg in said["legs"]), "steps": sum(leg["steps"] for leg in said["legs"]),
        "body": said["body_acceleration"] / gravity, "joint": said["joint_acceleration"] / 1000.0,
    }


def off(found):
    return [what for what, bound in BOUNDS.items() if found[what] > bound]


def line(ground, one):
    return "".join(f"{one[what]:>8.{0 if what in ('frames', 'forced') else 2}f}" for what in MEASURES) + "  " + " ".join(off(one))


def summary(ground, ones):
    over = [f"{what} {sum(one.get(what, 0) > bound for one in ones)} (worst {max(one.get(what, 0) for one in ones):.1f})"
            for what, bound in BOUNDS.items()]
    mean = [f"{what} {sum(one[what] for one in ones) / len(ones):.2f}" for what in ("early", "body", "joint")]
    return f"{len(ones)} walks over: {', '.join(over)}; mean {', '.join(mean)}"


def main():
    parser = measures.options(__doc__)
    parser.add_argument("--path", default="")
    args = parser.parse_args()
    jobs = {f"{rig.stem.replace('quaternius_', '')} {path} {ground}": (args.sinew, rig, path, ground)
            for rig in rigs(args.data) for ground in GROUNDS for path in PATHS
            if args.only.lower() in rig.stem.lower() and args.path in path and args.ground in ground}
    found = measures.Measures(args, jobs, measure)
    print(f"{'rig':<26}{'path':<8}{'ground':<9}" + "".join(f"{what:>8}" for what in MEASURES) + "  off")
    found.print_rows([26, 8, 9], line, lambda what, was: 0.2 + 0.2 * abs(was) if what in MEASURES else float("inf"))
    print()
    found.print_sums(GROUNDS, summary)


if __name__ == "__main__":
    main()
