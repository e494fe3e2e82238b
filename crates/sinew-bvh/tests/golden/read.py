"""A second reader of BVH, written apart from the crate's, which is compared with it.

    python3 read.py CLIP.bvh        doubles on standard output: joints, frames, then for rest and each frame, for each
                                    joint and end site in the file's order, its place and the nine entries of its
                                    rotation, row by row
    python3 read.py --json CLIP...  the same as one JSON object by file name, which is golden/expected.json
"""

import array
import json
import math
import re
import sys


def read(path):
    text = open(path, encoding="utf-8-sig", newline=None).read()
    head, _, tail = re.sub(r"(?i)^\s*HIERARCHY", "", text).partition("MOTION")
    joints, stack = [], []
    for line in re.sub(r"([{}])", r"\n\1\n", head).splitlines():
        words = line.split()
        if not words:
            continue
        key = words[0].upper()
        if key in ("ROOT", "JOINT", "END"):
            joints.append({"parent": stack[-1] if stack else -1, "offset": None, "channels": []})
        elif key == "{":
            stack.append(len(joints) - 1)
        elif key == "}":
            stack.pop()
        elif key == "OFFSET":
            joints[stack[-1]]["offset"] = [float(word) for word in words[1:4]]
        elif key == "CHANNELS":
            joints[stack[-1]]["channels"] = [word.lower() for word in words[2:]]
    lines = [line for line in tail.splitlines() if line.strip()]
    rows = [[float(word) for word in line.split()] for line in lines[2:]]
    width = sum(len(joint["channels"]) for joint in joints)
    assert all(len(row) == width for row in rows) and all(joint["offset"] for joint in joints)
    return joints, rows


def times(a, b):
    return [[a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] for j in range(3)] for i in range(3)]


def turn(axis, degrees):
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]


def pose(joints, row):
    """Place and rotation of each joint in model space; at rest where there is no row."""
    placed, next_number = [], 0
    for joint in joints:
        place, rotation = list(joint["offset"]), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        for channel in joint["channels"] if row is not None else []:
            axis, number = channel[0], row[next_number]
            next_number += 1
            if channel.endswith("position"):
                place["xyz".index(axis)] = number
            else:
                rotation = times(rotation, turn(axis, number))
        if joint["parent"] >= 0:
            above, about = placed[joint["parent"]]
            place = [above[i] + sum(about[i][k] * place[k] for k in range(3)) for i in range(3)]
            rotation = times(about, rotation)
        placed.append((place, rotation))
    return placed


def numbers(path):
    joints, rows = read(path)
    out = [float(len(joints)), float(len(rows))]
    for row in [None, *rows]:
        for place, rotation in pose(joints, row):
            out += place + rotation[0] + rotation[1] + rotation[2]
    return out


if sys.argv[1] == "--json":
    names = sorted(sys.argv[2:])
    body = ",\n".join(f' {json.dumps(name.split("/")[-1])}: {json.dumps(numbers(name))}' for name in names)
    print("{\n" + body + "\n}")
else:
    sys.stdout.buffer.write(array.array("d", numbers(sys.argv[1])).tobytes())
