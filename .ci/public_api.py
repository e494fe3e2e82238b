#!/usr/bin/env python3
"""The public items of the libraries, one a line, compared with .ci/public-api.txt.

    public_api.py DOC.json ...            compares, and says what came and what went; exit status 1 where anything did
    public_api.py --write DOC.json ...    writes the list anew

The JSON is rustdoc's, with all features; .ci/run has it written.
A line is a path as a user writes it, with a function's signature or a field's type. Each item stands once: at its shortest path.
"""

import json
import os
import sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "public-api.txt")

# Enums whose variants are all that there can be. Every other enum is `#[non_exhaustive]`, and of structs `Goal` alone, which has
# builders: settings are written as `Fabrik { iterations: 5, ..Fabrik::default() }`.
CLOSED = {
    "sinew::Pole",
    "sinew::limit::EulerOrder",
    "sinew::solve::aim::AimTarget",
    "sinew::solve::three_link::Yields",
    "sinew::springs::Tail",
    "sinew_bvh::Axis",
    "sinew_bvh::Channel",
    "sinew_rig::Digit",
    "sinew_rig::Side",
}
OPEN_STRUCTS = {"sinew::Goal"}


def against_the_rule(line):
    """Whether an enum or struct is marked otherwise than the rule says."""
    kind, _, rest = line.partition(" ")
    name, is_open = rest.split(" ")[0], rest.endswith("#[non_exhaustive]")
    return kind == "enum" and is_open == (name in CLOSED) or kind == "struct" and is_open != (name in OPEN_STRUCTS)


def joined(items, form):
    return ", ".join(form(item) for item in items)


def arguments(args):
    if not args:
        return ""
    if "parenthesized" in args:
        inner = args["parenthesized"]
        return f"({joined(inner['inputs'], typed)})" + output(inner["output"])
    inner = args.get("angle_bracketed", {})
    parts = []
    for arg in inner.get("args", []):
        if isinstance(arg, dict):
            kind, value = next(iter(arg.items()))
            parts.append(value if kind == "lifetime" else typed(value) if kind == "type" else value.get("expr", "_"))
        else:
            parts.append("_")
    for bound in inner.get("constraints", []):
        value = bound["binding"]
        term = typed(value["equality"]["type"]) if "equality" in value else "_"
        parts.append(f"{bound['name']} = {term}")
    return f"<{', '.join(parts)}>" if parts else ""


def path(value):
    return value["path"].split("::")[-1] + arguments(value.get("args"))


def bounds(items):
    texts = []
    for item in items:
        if "trait_bound" in item:
            texts.append(("?" if item["trait_bound"]["modifier"] == "maybe" else "") + path(item["trait_bound"]["trait"]))
        elif "outlives" in item:
            texts.append(item["outlives"])
    return " + ".join(texts)


def typed(value):
    if value is None:
        return "()"
    if value == "infer":
        return "_"
    kind, inner = next(iter(value.items()))
    if kind == "primitive" or kind == "generic":
        return inner
    if kind == "resolved_path":
        return path(inner)
    if kind == "tuple":
        return f"({joined(inner, typed)})"
    if kind == "slice":
        return f"[{typed(inner)}]"
    if kind == "array":
        return f"[{typed(inner['type'])}; {inner['len']}]"
    if kind == "borrowed_ref":
        lifetime = f"{inner['lifetime']} " if inner["lifetime"] else ""
        return f"&{lifetime}{'mut ' if inner['is_mutable'] else ''}{typed(inner['type'])}"
    if kind == "impl_trait":
        return f"impl {bounds(inner)}"
    if kind == "dyn_trait":
        lifetime = f" + {inner['lifetime']}" if inner["lifetime"] else ""
        return "dyn " + " + ".join(path(bound["trait"]) for bound in inner["traits"]) + lifetime
    if kind == "qualified_path":
        return f"{typed(inner['self_type'])}::{inner['name']}"
    if kind == "function_pointer":
        return f"fn({joined(inner['sig']['inputs'], lambda one: typed(one[1]))}){output(inner['sig']['output'])}"
    return kind


def output(value):
    return f" -> {typed(value)}" if value else ""


def signature(function):
    def parameter(one):
        name, value = one
        if name != "self":
            return f"{name}: {typed(value)}"
        return {"Self": "self", "&Self": "&self", "&mut Self": "&mut self"}.get(typed(value), f"self: {typed(value)}")

    return f"({joined(function['sig']['inputs'], parameter)}){output(function['sig']['output'])}"


class Crate:
    def __init__(self, file):
        with open(file, encoding="utf-8") as text:
            document = json.load(text)
        self.index, self.lines, self.seen = document["index"], {}, {}
        root = self.index[str(document["root"])]
        # Breadth first, so that an item is found at its shortest path.
        modules = [(root, root["name"])]
        while modules:
            module, name = modules.pop(0)
            for item in self.public(module["inner"]["module"]["items"]):
                self.visit(item, name, modules)

    def public(self, ids):
        for one in ids:
            item = self.index.get(str(one))
            if item and item["visibility"] in ("public", "default") and "hidden" not in str(item["attrs"]):
                yield item

    def add(self, line, mark=""):
        self.lines[line + mark] = True

    def visit(self, item, above, modules, name=None):
        kind, inner = next(iter(item["inner"].items()))
        if kind == "use":
            target = self.index.get(str(inner["id"]))
            if inner["is_glob"] and target:
                for below in self.public(target["inner"].get("module", {}).get("items", [])):
                    self.visit(below, above, modules)
            elif target:
                self.visit(target, above, modules, inner["name"])
            else:
                self.add(f"use {above}::{inner['name']}")
            return
        full = f"{above}::{name or item['name']}"
        if item["id"] in self.seen:
            return
        self.seen[item["id"]] = full
        mark = " #[non_exhaustive]" if "non_exhaustive" in str(item["attrs"]) else ""
        if kind == "module":
            self.add(f"mod {full}")
            modules.append((item, full))
        elif kind == "function":
            self.add(f"fn {full}{signature(inner)}")
        elif kind in ("constant", "static", "type_alias"):
            self.add(f"{kind} {full}: {typed(inner['type'])}")
        elif kind == "macro":
            self.add(f"macro {full}")
        elif kind == "trait":
            self.add(f"trait {full}: {bounds(inner['bounds'])}".rstrip(": "))
            for member in self.public(inner["items"]):
                self.member(member, full)
        elif kind == "struct":
            self.add(f"struct {full}", mark)
            shape = inner["kind"]
            fields = shape["plain"]["fields"] if "plain" in shape else shape.get("tuple", []) if shape != "unit" else []
            for field in self.public([one for one in fields if one is not None]):
                self.add(f"field {full}::{field['name']}: {typed(field['inner']['struct_field'])}")
            self.implementations(inner["impls"], full)
        elif kind == "enum":
            self.add(f"enum {full}", mark)
            for variant in self.public(inner["variants"]):
                self.variant(variant, full)
            self.implementations(inner["impls"], full)

    def variant(self, item, above):
        shape = item["inner"]["variant"]["kind"]
        types = lambda ids: [self.index[str(one)] for one in ids if one is not None]
        text = ""
        if shape != "plain" and "tuple" in shape:
            text = f"({joined(types(shape['tuple']), lambda one: typed(one['inner']['struct_field']))})"
        elif shape != "plain":
            fields = types(shape["struct"]["fields"])
            text = " { " + joined(fields, lambda one: f"{one['name']}: {typed(one['inner']['struct_field'])}") + " }"
        self.add(f"variant {above}::{item['name']}{text}")

    def member(self, item, above):
        kind, inner = next(iter(item["inner"].items()))
        if kind == "function":
            self.add(f"fn {above}::{item['name']}{signature(inner)}")
        elif kind == "assoc_const":
            self.add(f"const {above}::{item['name']}: {typed(inner['type'])}")
        elif kind == "assoc_type":
            self.add(f"type {above}::{item['name']}")

    def implementations(self, ids, above):
        for one in ids:
            item = self.index.get(str(one))
            if not item:
                continue
            inner = item["inner"]["impl"]
            if inner["is_synthetic"] or inner["blanket_impl"]:
                continue
            if inner["trait"] is None:
                for member in self.public(inner["items"]):
                    if member["visibility"] == "public":
                        self.member(member, above)
            else:
                name = path(inner["trait"])
                if not name.startswith("Structural"):
                    self.add(f"impl {name} for {above}")


def main(arguments):
    writes = "--write" in arguments
    lines = sorted({line for file in arguments if file != "--write" for line in Crate(file).lines})
    wrong = [line for line in lines if against_the_rule(line)]
    if wrong:
        print("\n".join(wrong))
        print("Enums are #[non_exhaustive] but for those of CLOSED in .ci/public_api.py, structs are not.")
        return 1
    text = "".join(line + "\n" for line in lines)
    if writes:
        with open(LIST, "w", encoding="utf-8") as out:
            out.write(text)
        return 0
    with open(LIST, encoding="utf-8") as kept:
        before = set(kept.read().splitlines())
    gone, come = sorted(before - set(lines)), sorted(set(lines) - before)
    for line in gone:
        print("-", line)
    for line in come:
        print("+", line)
    if gone or come:
        print("The public items are not those of .ci/public-api.txt. Is that meant? Then: .ci/run public-api")
        return 1
    print(f"{len(lines)} public items, as listed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
