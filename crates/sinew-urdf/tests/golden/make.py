"""Writes pinocchio.json beside this file: frames and Jacobians of robots by pinocchio, for tests/pinocchio.rs.

    pip install pin && python make.py DATA

DATA is the folder that $SINEW_TEST_DATA names. Pinocchio builds the model without its own treatment of mimic joints;
values of followers and the sums of their columns are composed here from the file.
"""

import json
import math
import random
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pinocchio as pin

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[3]
MOST_TIPS = 2


class Robot:
    def __init__(self, path):
        self.model = pin.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        root = ElementTree.parse(path).getroot()
        self.joints = [j for j in root.findall("joint") if j.get("type") != "fixed"]
        self.links = [l.get("name") for l in root.findall("link")]
        parents = {j.find("child").get("link"): j.find("parent").get("link") for j in root.findall("joint")}
        self.leaves = [l for l in self.links if l not in parents.values()]
        moved = {j.find("child").get("link") for j in self.joints}

        def depth(link):
            return (link in moved) + (depth(parents[link]) if link in parents else 0)

        self.leaves.sort(key=lambda link: (-depth(link), link))
        self.by_name = {j.get("name"): j for j in self.joints}

    def drive(self, joint):
        """The joint that drives it in the end, multiplier and offset."""
        mimic = joint.find("mimic")
        if mimic is None:
            return joint.get("name"), 1.0, 0.0
        of, inner, start = self.drive(self.by_name[mimic.get("joint")])
        outer, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
        return of, outer * inner, outer * start + offset

    def coordinates(self):
        names = []
        for joint in self.joints:
            if joint.get("type") == "planar":
                names += [joint.get("name") + suffix for suffix in ("/x", "/y", "/theta")]
            elif joint.get("type") != "floating" and joint.find("mimic") is None:
                names.append(joint.get("name"))
        return names

    def floating(self):
        return [j.get("name") for j in self.joints if j.get("type") == "floating"]

    def bounds(self, name):
        joint = self.by_name.get(name)
        limit = None if joint is None or joint.get("type") == "continuous" else joint.find("limit")
        if limit is None:
            return -2.0, 2.0
        low, high = float(limit.get("lower", 0)), float(limit.get("upper", 0))
        # Joints that cannot move by their limits are moved all the same.
        return (max(low, -3.0), min(high, 3.0)) if low < high else (-2.0, 2.0)

    def configuration(self, values, floating):
        """Pinocchio's q, and the derivative of its velocity by the coordinates."""
        q = pin.neutral(self.model)
        names = list(values)
        map_ = np.zeros((self.model.nv, len(names)))
        for joint in self.joints:
            name, kind = joint.get("name"), joint.get("type")
            index = self.model.getJointId(name)
            model = self.model.joints[index]
            at, row = model.idx_q, model.idx_v
            if kind == "floating":
                q[at : at + 7] = floating[name]
            elif kind == "planar":
                x, y, angle = (values[name + suffix] for suffix in ("/x", "/y", "/theta"))
                c, s = math.cos(angle), math.sin(angle)
                q[at : at + 4] = x, y, c, s
                # Its velocity is in its own, turned frame.
                first = names.index(name + "/x")
                map_[row : row + 3, first : first + 3] = [[c, s, 0], [-s, c, 0], [0, 0, 1]]
            else:
                of, multiplier, offset = self.drive(joint)
                value = multiplier * values[of] + offset
                if model.nq == 2:
                    q[at : at + 2] = math.cos(value), math.sin(value)
                else:
                    q[at] = value
                map_[row, names.index(of)] += multiplier
        return q, map_


def compact(numbers):
    rounded = [round(float(x), 15) for x in np.asarray(numbers).flatten()]
    return [int(x) if x == int(x) else x for x in rounded]


def frame(placement):
    """Three rows of four: rotation and translation."""
    return compact(np.hstack([placement.rotation, placement.translation.reshape(3, 1)]))


def mass(robot):
    """Kilograms and centre of mass, with what is fixed to the world."""
    total, moment = 0.0, np.zeros(3)
    for inertia, placement in zip(robot.model.inertias, robot.data.oMi):
        total += inertia.mass
        moment += inertia.mass * placement.act(inertia.lever)
    return compact([total, *(moment / total if total > 0 else moment)])


def configurations(robot, rng):
    names = robot.coordinates()
    yield {name: 0.0 for name in names}
    yield {name: round(sum(robot.bounds(name)) / 2, 6) for name in names}
    for _ in range(3):
        yield {name: round(rng.uniform(*robot.bounds(name)), 6) for name in names}


def golden(path, tips):
    robot = Robot(path)
    rng = random.Random(path.name)
    tips = (tips or robot.leaves)[:MOST_TIPS]
    cases = []
    for number, values in enumerate(configurations(robot, rng)):
        floating = {}
        for name in robot.floating():
            turn = np.array([rng.uniform(-1, 1) for _ in range(4)])
            place = [rng.uniform(-1, 1) for _ in range(3)]
            floating[name] = compact([*place, *(turn / np.linalg.norm(turn))])
        q, map_ = robot.configuration(values, floating)
        pin.framesForwardKinematics(robot.model, robot.data, q)
        shown = robot.links if number == 2 else tips
        find = lambda link: robot.model.getFrameId(link, pin.FrameType.BODY)
        case = {
            "coordinates": list(values.values()),
            "floating": floating,
            "frames": {link: frame(robot.data.oMf[find(link)]) for link in shown},
        }
        if number == 2:
            case["mass"] = mass(robot)
        if number >= 2:
            full = {
                tip: pin.computeFrameJacobian(
                    robot.model, robot.data, q, find(tip), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
                )
                for tip in tips
            }
            # Column after column, linear before angular.
            case["jacobians"] = {tip: compact((full[tip] @ map_).T) for tip in tips}
        cases.append(case)
    return {"coordinates": robot.coordinates(), "cases": cases}


def main():
    data = Path(sys.argv[1])
    index = json.loads((data / "urdf/index.json").read_text())
    robots = {str(p.relative_to(REPOSITORY)): golden(p, None) for p in [HERE / "joints.urdf", REPOSITORY / "rigs/arm6.urdf"]}
    for entry in index:
        robots[entry["file"]] = golden(data / entry["file"], list(entry["suggested_tips"] or []))
    text = json.dumps({"pinocchio": pin.__version__, "robots": robots}, separators=(",", ":"))
    (HERE / "pinocchio.json").write_text(text.replace('{"coordinates":[', '\n{"coordinates":[') + "\n")


main()
