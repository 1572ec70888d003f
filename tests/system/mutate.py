#!/usr/bin/env python3
"""mutate.py ASSAY SCHEMA RECORD COUNT SEED - breaks a record in COUNT ways and compares two opinions of each.

The program (`assay show`) must refuse exactly what the Python package jsonschema refuses by the same schema, with status
2 and one line that names the file and the path of a key that is wrong. What both accept must be shown, drawn and compared
by every command that reads records, without an error of the suite's own Lua. Prints what differs; exits 1 if anything did.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import copy
import json
import os
import random
import re
import subprocess
import sys

import jsonschema

VALUES = [{}, [], None, "text", "1", "", 0, 5, -1, 1.5, -0.25, 3.0, True, False, [1], {"a": 1}, [[[[]]]], "validated",
          "native", 10**15, [None], ["text"], [1, 2]]


def shape(value):
    """What kinds of things a metric or sample holds: one of each shape is enough."""
    if isinstance(value, dict):
        return tuple(sorted((key, shape(member)) for key, member in value.items() if key != "given"))
    return type(value).__name__


def reduce(record):
    for key in ("metrics", "samples", "counts", "runs"):
        seen = {}
        for entry in record[key]:
            seen.setdefault(shape(entry), entry)
        record[key] = list(seen.values())[:12]
    record["failures"] = [{"run": "a/b/1", "command": "c", "status": 1, "stderr_tail": "t", "why": "w"}]
    return record


def places(value, path=()):
    """All paths into the value, but for those below unknown keys."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield path + (key,)
        yield from places(member, path + (key,))


def mutate(record, dice):
    broken = copy.deepcopy(record)
    path = dice.choice(sorted(places(broken), key=str))
    parent = broken
    for key in path[:-1]:
        parent = parent[key]
    action = dice.random()
    if action < 0.15:
        del parent[path[-1]]
    elif action < 0.2 and isinstance(parent, dict):
        parent["a-new-key"] = dice.choice(VALUES)
    else:
        parent[path[-1]] = copy.deepcopy(dice.choice(VALUES))
    return broken, path


def written(path):
    text = ""
    for key in path:
        text += "[%d]" % key if isinstance(key, int) else ("." if text else "") + key
    return text


def wrong_paths(validator, record):
    """The paths of all that jsonschema finds, as the program writes them."""
    found = set()
    for error in validator.iter_errors(record):
        path = list(error.absolute_path)
        if error.validator == "required":
            found |= {written(path + [key]) for key in error.validator_value if key not in error.instance}
        else:
            found.add(written(path))
    return found


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr.strip()


def main():
    assay, schema_file, record_file, count, seed = sys.argv[1:6]
    schema = json.load(open(schema_file))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    record = reduce(json.load(open(record_file)))
    dice, refused, accepted, failed = random.Random(int(seed)), 0, 0, 0
    folder = "records/%s/%s" % (record["node"]["arch"], record["node"]["name"])
    os.makedirs(folder, exist_ok=True)
    name = folder + "/1.json"
    for number in range(int(count)):
        broken, path = mutate(record, dice)
        json.dump(broken, open(name, "w"), indent=1)
        wrong = wrong_paths(validator, broken)
        commands = [["show", name, "--all"]]
        if not wrong:
            commands += [["show", name, "--oracles"], ["diff", name, record_file], ["diff", record_file, name],
                         ["history", "records"], ["report", name, "--html", "page.html"],
                         ["groups", "--record", name, "--format", "json"], ["groups", "--record", name],
                         ["groups", "--record", name, "--format", "likwid"]]
            accepted += 1
            if accepted % 5 == 1: # plots take their time
                commands.append(["tables", name, "--out", "tables"])
        for command in commands:
            status, said = run(assay, *command)
            lines = said.splitlines()
            if wrong:
                refused += 1
                named = re.match(r"assay show: (\S+): (\S+) ", said)
                good = status == 2 and len(lines) == 1 and named and named.group(1) == name and named.group(2) in wrong
                good = good or (status == 2 and len(lines) == 1 and path == ("schema",))
            else:
                # a record may still be of no use to a command; that is one line, and not from the suite's own code
                good = status in (0, 1, 2) and len(lines) <= 1 and not re.search(r"\.lua:\d+: ", said)
            if not good:
                failed += 1
                print("%d: %s at %s: status %d: %s; jsonschema: %s" % (number, command, written(path), status, said, sorted(wrong)))
    print("%s mutations: %d refused by both, %d differ" % (count, refused, failed))
    return failed > 0 or refused == 0


sys.exit(main())
