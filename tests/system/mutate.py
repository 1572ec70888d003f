#!/usr/bin/env python3
"""mutate.py ASSAY DOCS RECORD COUNT SEED - breaks a record of any kind in COUNT ways and compares two opinions of each.

The program must refuse exactly what the Python package jsonschema refuses by the same schema, with status 2 and one line
that names the file and the path of a key that is wrong; it may refuse more where a number is too large to be calculated
with, or a reference leads nowhere. What is accepted must be shown, drawn and compared by every command that reads records
of the kind, without an error of the suite's own Lua. Prints what differs; exits 1 if anything did.
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
          "native", 10**15, 1e308, -1e308, 2.0**60, [None], ["text"], [1, 2]]
HUGE = (1e308, -1e308, 2.0**60)

# Commands beyond `show` for records of a kind; F: the record, G: the same before it was broken.
ANALYSIS = ["show F --threads", "report F --html page.html", "report F --cube c.cubex", "compare F G", "compare G F --html page.html",
            "merge F G", "merge G F", "mean F G", "subtract F G", "subtract G F"]
PAGE = ["report F --html page.html"]
COMMANDS = {
    "analysis": ANALYSIS, "curves": PAGE + ["report F --svg drawings"], "sampling": PAGE + ["report F --svg drawings"],
    "fleet": ["fleet report F --all --html page.html --csv f.csv --openmetrics f.prom --junit f.xml"] + PAGE,
    None: ["show F --oracles", "diff F G", "diff G F", "history records", "report F --html page.html", "groups --record F --format json",
           "groups --record F", "groups --record F --format likwid"],
}


def shape(value):
    """What kinds of things a metric or sample holds: one of each shape is enough."""
    if isinstance(value, dict):
        return tuple(sorted((key, shape(member)) for key, member in value.items() if key != "given"))
    return type(value).__name__


def reduce(record):
    if record.get("kind"):
        return record
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
        elif error.validator == "dependentRequired":
            found |= {written(path + [key]) for keys in error.validator_value.values() for key in keys if key not in error.instance}
        else:
            found.add(written(path))
    return found


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr.strip()


SCHEMAS = {None: "record", "analysis": "analysis", "curves": "curves", "sampling": "sampling"}


def validator_of(docs, kind):
    schema = json.load(open("%s/%s.schema.json" % (docs, SCHEMAS.get(kind, "findings"))))
    jsonschema.Draft202012Validator.check_schema(schema)
    if "oneOf" in schema: # the alternative of the kind alone says which keys are wrong
        del schema["oneOf"]
        schema["$ref"] = "#/$defs/" + kind
    return jsonschema.Draft202012Validator(schema)


def is_said(status, said, command, name, wrong):
    """One line that names the file and one of the wrong keys."""
    named = re.match(r"assay %s: (\S+): (\S+)" % command, said)
    return status == 2 and len(said.splitlines()) == 1 and named and named.group(1) == name and (not wrong or named.group(2) in wrong)


def is_clean(status, said):
    """Accepted; or refused as of no use to the command, in one line that is not from the suite's own code."""
    own = r"\.lua:\d+: |attempt to|bad argument|a Lua function|stack traceback"
    return status in (0, 1, 2) and len(said.splitlines()) <= 1 and not re.search(own, said)


def main():
    assay, docs, record_file, count, seed = sys.argv[1:6]
    record = reduce(json.load(open(record_file)))
    kind = record.get("kind")
    validator = validator_of(docs, kind)
    dice, refused, accepted, failed = random.Random(int(seed)), 0, 0, 0
    node = record.get("node", {"arch": "x", "name": "y"})
    folder = "records/%s/%s" % (node["arch"], node["name"])
    os.makedirs(folder, exist_ok=True)
    name = folder + "/1.json"
    for number in range(int(count)):
        broken, path = mutate(record, dice)
        json.dump(broken, open(name, "w"), indent=1)
        wrong = {"kind"} if broken.get("kind") != kind else wrong_paths(validator, broken)
        status, said = run(assay, "show", name, "--all")
        commands = [("show F --all", status, said)]
        if wrong:
            refused += 1
            good = is_said(status, said, "show", name, wrong) or (status == 2 and path in (("schema",), ("kind",)))
        else:
            good = is_clean(status, said)
            accepted += 1
            words = list(COMMANDS.get(kind, PAGE))
            if kind is None and accepted % 5 == 1: # plots take their time
                words.append("tables F --out tables")
            for command in words:
                status, said = run(assay, *command.replace("F", name).replace("G", record_file).split())
                commands.append((command, status, said))
            good = good and all(is_clean(*said_of[1:]) for said_of in commands)
        if not good:
            failed += 1
            print("%d: %s: %s; jsonschema: %s" % (number, written(path), [one for one in commands if not is_clean(*one[1:]) or wrong], sorted(wrong)))
    print("%s mutations of %s: %d refused by both, %d differ" % (count, kind or "a campaign's record", refused, failed))
    return failed > 0 or refused == 0


sys.exit(main())
