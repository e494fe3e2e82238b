#!/usr/bin/env python3
"""Rings of files in the core that import one another: none may be larger than three.

What a module's hub re-exports counts as imported from the file that defines it, so a shelf of names is no link; tests do not count."""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'crates', 'sinew', 'src')
MOST = 3


def modules():
    """Path of a module, as a tuple of names -> its text without comments and tests."""
    found = {}
    for folder, _, names in os.walk(ROOT):
        for name in (n for n in names if n.endswith('.rs')):
            path = os.path.join(folder, name)
            parts = os.path.relpath(path, ROOT)[:-3].split(os.sep)
            if parts[-1] in ('mod', 'lib'):
                parts.pop()
            with open(path, encoding='utf-8') as file:
                text = re.sub(r'//[^\n]*', '', file.read())
            found[tuple(parts)] = re.sub(r'pub\(in [^)]*\)', 'pub(crate)', text.split('#[cfg(test)]')[0])
    return found


MODULES = modules()
USE = re.compile(r'(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);')


def flat(tree):
    """The paths of a use tree."""
    opened = re.match(r'^(.*?)\{(.*)\}$', tree.strip(), re.S)
    if not opened:
        return [tree.strip().split(' as ')[0]]
    parts, depth, part = [], 0, ''
    for char in opened.group(2) + ',':
        depth += (char == '{') - (char == '}')
        if char == ',' and depth == 0:
            parts.append(part)
            part = ''
        else:
            part += char
    return [path for one in parts if one.strip() for path in flat(opened.group(1) + one.strip())]


def resolve(module, path):
    """The module that a path leads to, and the name in it; None for other crates."""
    parts = path.split('::')
    if parts[0] == 'crate':
        base, parts = (), parts[1:]
    elif parts[0] in ('super', 'self') or module + (parts[0],) in MODULES:
        base = module
        while parts and parts[0] in ('super', 'self'):
            base, parts = (base[:-1] if parts[0] == 'super' else base), parts[1:]
    else:
        return None
    while parts and base + (parts[0],) in MODULES:
        base, parts = base + (parts[0],), parts[1:]
    return base, parts[0] if parts else None


def links():
    """Module -> modules whose names it uses."""
    shelves, uses = {}, {}
    for module, text in MODULES.items():
        uses[module] = set()
        for public, tree in USE.findall(text):
            for path in flat(re.sub(r'\s+', ' ', tree)):
                if target := resolve(module, path):
                    uses[module].add(target)
                    if public:
                        shelves[module, target[1] or target[0][-1]] = target
        for path in re.findall(r'\b(?:super|crate)(?:::\w+)+', USE.sub('', text)):
            uses[module].add(resolve(module, path))
    result = {}
    for module, targets in uses.items():
        result[module] = set()
        for target in targets:
            for _ in range(8):
                target = shelves.get(target, target)
            result[module].add(target[0])
        result[module].discard(module)
    return result


def reach(start, edges):
    seen, left = set(), [start]
    while left:
        for other in edges.get(left.pop(), ()):
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


EDGES = links()
REACH = {module: reach(module, EDGES) for module in MODULES}
RINGS = {frozenset(other for other in REACH[one] if one in REACH[other]) for one in MODULES}
largest = max(RINGS, key=len)
names = ', '.join(sorted('/'.join(module) or 'lib' for module in largest))
print(f'largest ring of files: {len(largest)} ({names})')
if len(largest) > MOST:
    sys.exit(f'ci: no ring may be larger than {MOST}: move what both sides need into a file of its own')
