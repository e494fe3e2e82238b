#!/usr/bin/env python3
"""Arms' inverse kinematics by Python wheels, for `robot-peers`:  arms.py PEER PROBLEM RESULT

Reads a problem file (IKP1) and writes a result file (IKR1); the formats are those of `src/robots/file.rs`. All problems are
solved twice, each from its own seed in one thread, and the second time is kept: that of the call alone, its arguments at hand.
IKP_MAX in the environment: only the first so many. Exits with 3 where the solver is not for such an arm.
"""
import math
import os
import statistics
import sys
import time
import xml.etree.ElementTree as ET
from importlib.metadata import version

import numpy as np

NOT_FOR_THIS = 3


def read(path):
    """The header's fields, seeds (n, dof) and targets (n, 4, 4)."""
    data = open(path, "rb").read()
    end = data.index(b"\ndata\n")
    fields = dict(line.split(" ", 1) for line in data[:end].decode().split("\n")[1:])
    dof, most = int(fields["dof"]), int(os.environ.get("IKP_MAX", fields["n"]))
    rows = np.frombuffer(data[end + 6 :], "<f8").reshape(int(fields["n"]), dof + 12)[:most]
    targets = np.tile(np.eye(4), (len(rows), 1, 1))
    targets[:, :3, :] = rows[:, dof:].reshape(-1, 3, 4)
    fields["urdf"] = os.path.join(os.path.dirname(os.path.abspath(path)), fields["urdf"])
    return fields, rows[:, :dof].copy(), targets


def write(path, peer, package, settings, rows):
    rows = np.asarray(rows, "<f8")
    dof, mean = rows.shape[1] - 2, rows[:, 1].mean()
    header = (
        f"IKR1\nsolver {peer}\nversion {version(package)}\nnote cpu_ns_per_solve={mean:.0f}\nsettings {settings}\n"
        f"dof {dof}\nn {len(rows)}\nrow {dof + 2}\ndata\n"
    )
    with open(path, "wb") as file:
        file.write(header.encode() + rows.tobytes())


class Chain:
    """The revolute and prismatic joints from base to tip: `before[i]` leads from joint to joint, whose axis is then z;
    `after` leads to the tip."""

    def __init__(self, fields):
        above = {joint.find("child").get("link"): joint for joint in ET.parse(fields["urdf"]).getroot().findall("joint")}
        path, link = [], fields["tip"]
        while link != fields["base"]:
            path.append(above[link])
            link = above[link].find("parent").get("link")
        self.before, self.limits, self.slides, names, way = [], [], [], [], np.eye(4)
        for joint in reversed(path):
            way = way @ origin(joint.find("origin"))
            if joint.get("type") == "fixed":
                continue
            if joint.find("mimic") is not None or joint.get("type") not in ("revolute", "continuous", "prismatic"):
                sys.exit(NOT_FOR_THIS)
            turn = z_to(numbers(joint.find("axis"), "xyz", "1 0 0"))
            self.before.append(way @ turn)
            way = turn.T
            limit = joint.find("limit") if joint.get("type") != "continuous" else None
            ends = [-math.pi, math.pi] if limit is None else [float(limit.get(end, 0)) for end in ("lower", "upper")]
            self.limits.append(ends)
            self.slides.append(joint.get("type") == "prismatic")
            names.append(joint.get("name"))
        self.after = way
        if names != fields["joints"].split():
            sys.exit(NOT_FOR_THIS)


def numbers(element, name, default):
    return np.array([float(text) for text in (default if element is None else element.get(name, default)).split()])


def origin(element):
    roll, pitch, yaw = numbers(element, "rpy", "0 0 0")
    turn = about(2, yaw) @ about(1, pitch) @ about(0, roll)
    turn[:3, 3] = numbers(element, "xyz", "0 0 0")
    return turn


def about(axis, angle):
    turn, (i, j) = np.eye(4), ((1, 2), (2, 0), (0, 1))[axis]
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[j, i] = math.sin(angle)
    turn[i, j] = -turn[j, i]
    return turn


def z_to(axis):
    """A rotation whose third column is along the axis."""
    z = axis / np.linalg.norm(axis)
    x = np.cross(np.eye(3)[np.argmin(abs(z))], z)
    x /= np.linalg.norm(x)
    turn = np.eye(4)
    turn[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    return turn


# Each peer: its package, how it is asked, and three functions. `ask` makes the arguments of a seed and a target, `call`
# is timed, `read` makes of what it returns whether it says that it is solved, and the coordinates.


def optik(fields):
    import optik

    limit = float(fields["timeout_s"])
    # The squared error; tol_df and tol_dx stay off, since stopping by them counts as solved.
    config = optik.SolverConfig(solution_mode="speed", max_time=limit, tol_f=float(fields["tol_pos"]) ** 2)
    robot = optik.Robot.from_urdf_file(fields["urdf"], fields["base"], fields["tip"])
    robot.set_parallelism(1)
    if robot.num_positions() != int(fields["dof"]):
        sys.exit(NOT_FOR_THIS)
    ask = lambda seed, target: (config, target.tolist(), seed.tolist())
    read = lambda found, seed: (found is not None, found[0] if found else seed)
    return "optik-py", f"mode speed, tol_f 1e-12, 1 thread, at most {1e3 * limit:g} ms", ask, robot.ik, read


def roboticstoolbox(fields):
    import roboticstoolbox
    from spatialmath import SE3

    chain, arm = Chain(fields), None
    still = lambda matrix: roboticstoolbox.ET.SE3(SE3(matrix, check=False))
    for before, limits, slides in zip(chain.before, chain.limits, chain.slides):
        joint = (roboticstoolbox.ET.tz if slides else roboticstoolbox.ET.Rz)(qlim=np.array(limits))
        arm = still(before) * joint if arm is None else arm * still(before) * joint
    arm = arm * still(chain.after)
    # Half the squared error. Of the gains and methods that its documentation names, this was the quickest here.
    tolerance = 0.5 * float(fields["tol_pos"]) ** 2
    call = lambda target, seed: arm.ik_LM(target, q0=seed, tol=tolerance, method="chan", k=0.1)
    settings = "`ETS.ik_LM`, Chan's damping with k 0.1, 30 steps a search, 100 searches, no clock"
    return "roboticstoolbox-python", settings, lambda seed, target: (target, seed), call, lambda it, _: (it.success, it.q)


def trac_ik(fields):
    import pytracik

    limit, tolerance = float(fields["timeout_s"]), float(fields["tol_pos"])
    text = open(fields["urdf"]).read()
    arm = pytracik.TRAC_IK(fields["base"], fields["tip"], text, limit, tolerance, pytracik.SolveType.Speed)
    if pytracik.get_num_joints(arm) != int(fields["dof"]):
        sys.exit(NOT_FOR_THIS)
    ask = lambda seed, target: (arm, seed, *target[:3, 3], *quaternion(target[:3, :3]))
    read = lambda found, seed: (found[0] >= 0, found[1:] if found[0] >= 0 else seed)
    settings = f"TRAC-IK, type Speed, epsilon {tolerance:g}, at most {1e3 * limit:g} ms, always two threads"
    return "pytracik", settings, ask, pytracik.ik, read


def quaternion(turn):
    """x, y, z, w: the eigenvector of the symmetric matrix of Bar-Itzhack (2000)."""
    k = np.zeros((4, 4))
    k[:3, :3] = turn + turn.T - np.eye(3) * np.trace(turn)
    k[:3, 3] = k[3, :3] = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    k[3, 3] = np.trace(turn)
    return np.linalg.eigh(k)[1][:, 3]


def eaik(fields):
    from eaik.IK_HP import HPRobot

    chain, way, axes, places = Chain(fields), np.eye(4), [], [np.zeros(3)]
    if len(chain.before) != 6 or any(chain.slides):
        sys.exit(NOT_FOR_THIS)
    for before in chain.before:
        way = way @ before
        axes.append(way[:3, 2])
        places.append(way[:3, 3])
    tip = way @ chain.after
    robot = HPRobot(np.array(axes), np.diff(np.array(places + [tip[:3, 3]]), axis=0))
    if not robot.hasKnownDecomposition():
        sys.exit(NOT_FOR_THIS)
    low, high = np.array(chain.limits).T

    def ask(_, target):
        target = target.copy()
        target[:3, :3] = target[:3, :3] @ tip[:3, :3].T
        return (target,)

    def read(found, seed):
        """The solution nearest to the seed, each angle a whole turn from where it is inside its limits."""
        exact = np.asarray(found.Q)[~np.asarray(found.is_LS, bool)]
        exact = exact + 2 * math.pi * np.round((seed - exact) / (2 * math.pi))
        exact += 2 * math.pi * ((exact < low).astype(int) - (exact > high).astype(int))
        inside = exact[((exact >= low) & (exact <= high)).all(1)]
        return (True, min(inside, key=lambda q: abs(q - seed).max())) if len(inside) else (False, seed)

    return "EAIK", "closed form, all solutions; choosing the nearest is not timed", ask, robot.IK, read


PEERS = {"optik": optik, "roboticstoolbox": roboticstoolbox, "pytracik": trac_ik, "EAIK": eaik}


def main(peer, problem, result):
    fields, seeds, targets = read(problem)
    package, settings, ask, call, tell = PEERS[peer](fields)
    asked = [ask(seed, target) for seed, target in zip(seeds, targets)]
    for _ in ("for the caches", "timed"):
        rows = []
        for arguments, seed in zip(asked, seeds):
            found, nanoseconds = timed(call, arguments)
            is_solved, coordinates = tell(found, seed)
            rows.append([float(is_solved), nanoseconds, *coordinates])
    # How much of it is the way from Python and back: nothing remains to be done here.
    there = [ask(np.array(row[2:]), target) for row, target in zip(rows[:200], targets)]
    least = statistics.median(timed(call, arguments)[1] for arguments in there)
    write(result, peer, package, f"{settings}; called at its own answer it takes {1e-3 * least:.1f} us", rows)


def timed(call, arguments):
    start = time.perf_counter_ns()
    found = call(*arguments)
    return found, time.perf_counter_ns() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
