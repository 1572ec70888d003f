#!/usr/bin/env python3
"""Reads a .cubex file and holds it against the analysis record it was made of: cubex.py FILE.cubex RECORD.json

What is demanded of the file is written down here from the description of CUBE 4 (docs/cube_file_format.md of pyCubexR, and the
grammar of CubeLib 4.8), and nothing of Assay's is used to read it.
SPDX-License-Identifier: GPL-3.0-or-later"""
import json
import struct
import sys
import tarfile
import xml.etree.ElementTree as ElementTree

METRIC = ["disp_name", "uniq_name", "dtype", "uom", "url", "descr"]
REGION = ["name", "mangled_name", "paradigm", "role", "url", "descr"]
SYSTEM = {"systemtreenode": ["name", "class"], "locationgroup": ["name", "rank", "type"], "location": ["name", "rank", "type"]}
INSIDE = {"system": ["systemtreenode"], "systemtreenode": ["systemtreenode", "locationgroup"], "locationgroup": ["location"], "location": []}


def demand(is_so, what):
    if not is_so:
        sys.exit(f"cubex.py: {what}")


def texts(element, names):
    """The texts of the first children, which must be these."""
    demand([child.tag for child in element][:len(names)] == names, f"{element.tag}: {[child.tag for child in element]}")
    return [child.text or "" for child in element[:len(names)]]


def metrics_below(element, parent, found):
    for child in element:
        if child.tag == "metric":
            name, unique, kind, unit, _, descr = texts(child, METRIC)
            demand(child.attrib == {"id": child.attrib["id"], "type": "EXCLUSIVE"} and kind == "DOUBLE", f"metric {child.attrib}")
            number = int(child.attrib["id"])
            demand(number not in found, f"metric {number} twice")
            found[number] = {"name": name, "unique": unique, "unit": unit, "descr": descr, "parent": parent}
            metrics_below(child, number, found)
        else:
            demand(element.tag == "metric" and child.tag in METRIC, f"{child.tag} in {element.tag}")


def leaves_below(element, around, found):
    for child in element:
        if child.tag in INSIDE[element.tag]:
            named = texts(child, SYSTEM[child.tag])
            path = around + [named]
            if child.tag == "location":
                found[int(child.attrib["Id"])] = path
            leaves_below(child, path, found)
        else:
            demand(child.tag in SYSTEM.get(element.tag, ["topologies"]), f"{child.tag} in {element.tag}")


def read_anchor(text):
    root = ElementTree.fromstring(text)
    demand(root.tag == "cube" and root.attrib == {"version": "4.4"}, f"{root.tag} {root.attrib}")
    kinds = [child.tag for child in root]
    attributes = {child.attrib["key"]: child.attrib["value"] for child in root if child.tag == "attr"}
    demand(kinds == ["attr"] * len(attributes) + ["metrics", "program", "system"], f"order {kinds}")
    metrics, regions, calls, leaves = {}, {}, {}, {}
    metrics_below(root.find("metrics"), None, metrics)
    for child in root.find("program"):
        if child.tag == "region":
            regions[int(child.attrib["id"])] = texts(child, REGION)[0]
        else:
            demand(child.tag == "cnode" and len(child) == 0, f"{child.tag} in program")
            calls[int(child.attrib["id"])] = regions[int(child.attrib["calleeId"])]
    leaves_below(root.find("system"), [], leaves)
    demand(sorted(leaves) == list(range(len(leaves))), "numbers of locations")
    return attributes, metrics, calls, leaves


def read_values(archive, number, count):
    index = archive.extractfile(f"{number}.index").read()
    marker, order, version, kind, rows = struct.unpack_from("<11sIHBI", index)
    demand((marker, order, version, kind) == (b"CUBEX.INDEX", 1, 0, 1), f"{number}.index")
    calls = struct.unpack(f"<{rows}I", index[22:])
    demand(list(calls) == sorted(set(calls)), f"{number}.index: order")
    data = archive.extractfile(f"{number}.data").read()
    demand(data[:10] == b"CUBEX.DATA", f"{number}.data")
    values = struct.unpack(f"<{rows * count}d", data[10:])
    return {call: values[i * count:(i + 1) * count] for i, call in enumerate(calls)}


def main(cube, file):
    record = json.load(open(file, encoding="utf-8"))
    with tarfile.open(cube, "r:") as archive:
        attributes, metrics, calls, leaves = read_anchor(archive.extractfile("anchor.xml").read())
        values = {number: read_values(archive, number, len(leaves)) for number in metrics}
        names = ["anchor.xml"] + [f"{n}.{kind}" for n in metrics for kind in ("index", "data")]
        demand(sorted(archive.getnames()) == sorted(names), f"files {archive.getnames()}")
        demand(archive.getnames()[0] == "anchor.xml", "the description comes first")
    node = record["node"]
    demand(attributes["Node"] == f"{node['kind']} {node['name']}", "node")
    demand(list(calls.values()) == [name or "whole program" for name in record["regions"]], f"regions {calls}")
    for number, leaf in enumerate(record["system"]):
        *_, host, process, thread = leaves[number]
        demand(host[0] == leaf["host"] and process[1] == str(leaf["process"])
               and thread[1] == str(leaf["thread"]), f"location {number}")
    compared = 0
    left_out = attributes.get("Left out, as they do not add up", "").split(", ")
    for one in record["values"]:
        metric = record["metrics"][one["metric"]]
        if metric["name"] in left_out:
            demand(one["metric"] not in metrics, "left out and there")
            continue
        demand(metrics[one["metric"]]["name"].lstrip("~") == metric["name"], metric["name"])
        demand(metrics[one["metric"]]["parent"] == metric.get("parent"), f"parent of {metric['name']}")
        demand(values[one["metric"]][one["region"]][one["leaf"]] == one["value"], f"value {one}")
        compared += 1
    others = sum(value != 0 for rows in values.values() for row in rows.values() for value in row)
    demand(others == sum(one["value"] != 0 and record["metrics"][one["metric"]]["name"] not in left_out for one in record["values"]),
           "values that the record has not")
    print(f"{compared} values, {len(metrics)} metrics, {len(calls)} regions, {len(leaves)} threads")


main(*sys.argv[1:])
