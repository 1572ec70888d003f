#!/usr/bin/env python3
"""hostile.py make RECORD OUT | spread RECORD OUT SCHEMA | text FILE.. | markdown FILE.. | csv FILE | page FILE | drawing FILE..

make: RECORD with texts that try to leave the place they are put in, wherever a record holds a text that is no key to
something else. spread: the same of any kind of record, in each text but those of which the schema lists the words. The others check outputs: that no control character is left (text) and that none of the texts became
more than a text (Markdown, CSV, HTML, SVG). SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import html.parser
import json
import re
import sys
import xml.etree.ElementTree

CONTROL = "\x1b]0;owned\x07\x9b31m\u202e\u2028\x7f\r\n\t"
MARKS = "| evil <script>alert(1)</script> [a](javascript:b) ![c](http://evil/d) www.evil.org `touch pwned` $(touch pwned) \"'\\ %s %n é"
TEXT = "=1+1 " + CONTROL + MARKS


def make(source, target):
    record = json.load(open(source))
    record["assay"] = record["started"] = TEXT
    record["faults"] = []
    record["command"] = ["assay", TEXT]
    for key in ("cpu", "likwid", "kernel", "microcode", "why"):
        record["node"][key] = TEXT
    record["failures"] = [{"run": TEXT, "command": TEXT, "status": 1, "stderr_tail": TEXT + "\nlast " + TEXT.replace("\n", ""), "why": TEXT}]
    record[TEXT] = TEXT
    names = {"code": TEXT, "reason": TEXT, "unit": "GBytes" + TEXT, "placement": "S0:2 " + TEXT, "level": TEXT}
    for number, metric in enumerate(record["metrics"]):
        metric["errata"] = [TEXT]
        metric["vendor"] = [{"event": TEXT, "state": "differs", "consequence": TEXT}]
        metric["reason"] = TEXT
        if metric.get("correction"):
            metric["correction"]["offset_unit"] = TEXT
        if number % 3 == 0:
            metric.update({key: value for key, value in names.items() if metric[key] is not None})
        if number % 30 == 1:
            metric["pattern"] = metric["pattern"] and "strange" + TEXT
        if number % 30 == 2:
            metric["metric"] = metric["group"] = metric["kind"] = metric["direction"] = TEXT
    for number, sample in enumerate(record["samples"]):
        if number % 3 == 0:
            sample.update({key: value for key, value in names.items() if sample.get(key) is not None and key != "placement"})
            sample["given"] = {TEXT: 1}
            sample["why"] = TEXT
    json.dump(record, open(target, "w"))


def words_of(schema):
    """All words that a schema lists."""
    members = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = {word for member in members for word in words_of(member)}
    if isinstance(schema, dict):
        found |= set(schema.get("enum", [])) | {schema.get("const")}
    return found


def spread(source, target, schema):
    words = words_of(json.load(open(schema)))

    def change(value):
        if isinstance(value, dict):
            return {key: change(member) for key, member in value.items()}
        if isinstance(value, list):
            return [change(member) for member in value]
        return value + " evil " + CONTROL if isinstance(value, str) and value not in words else value

    json.dump(change(json.load(open(source))), open(target, "w"))


def check(good, name, what):
    if not good:
        sys.exit("%s: %s" % (name, what))


def text(name, allowed=""):
    data = open(name, encoding="utf-8", newline="").read()
    for character in allowed:
        data = data.replace(character, " ")
    found = re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", data)
    check(not found, name, "control character: %r" % (found and data[max(0, found.start() - 60):found.end() + 20]))
    check("evil" in data or "strange" not in data, name, "is not about the record")


def markdown(name):
    text(name)
    columns = 0
    for line in open(name, encoding="utf-8"):
        bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", line.rstrip("\n"))  # without escaped marks
        is_row = bare.startswith("|")
        bars = bare.count("|")
        check(not is_row or columns in (0, bars), name, "columns: " + line)
        check(is_row or bars == 0, name, "a bar outside of a table: " + line)
        columns = bars if is_row else 0
        outside = re.sub("`[^`]*`", "", bare)
        check("`" not in outside, name, "a code span that does not end: " + line)
        check(not re.search("<(?!/?details>|/?summary>|br>|!-- )", outside), name, "an element: " + line)
        check(not re.search(r"\]\((?![\w.-]+\))", outside), name, "a link: " + line)
        outside = re.sub(r"\]\([\w.-]+\)", "", outside)
        check("://" not in outside and "www." not in outside, name, "an address: " + line)


def table(name):
    text(name)
    rows = list(csv.reader(open(name, encoding="utf-8", newline="")))
    for row in rows:
        check(len(row) == len(rows[0]), name, "fields: %s" % row)
        for field in row:
            check(not re.match("[=+@-]", field) or re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", field), name, "formula: " + field)


class Page(html.parser.HTMLParser):
    scripts, wrong, words = 0, [], 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        for key, value in attributes:
            if key.startswith("on") or (key in ("href", "src") and not value.startswith("#")) or tag in ("img", "iframe"):
                self.wrong.append((tag, key, value))

    def handle_data(self, data):
        self.words += data.count("<script>alert(1)</script>")


def page(name):
    found = Page()
    found.feed(open(name, encoding="utf-8").read())
    check(found.scripts == 2 and not found.wrong, name, "%d scripts, %s" % (found.scripts, found.wrong))
    check(found.words > 10, name, "the texts are not there")
    data = re.search('<script type="application/json" id="data">(.*?)</script>', open(name, encoding="utf-8").read(), re.S)
    check(len(json.loads(data.group(1))) > 100, name, "the data do not end where they should")


def drawing(name):
    text(name, "\t") # gnuplot indents
    root = xml.etree.ElementTree.parse(name).getroot()
    for element in root.iter():
        tag = element.tag.rsplit("}")[-1]
        check(tag not in ("script", "a", "image", "foreignObject"), name, tag)
        check(not any(key.startswith("on") for key in element.attrib), name, str(element.attrib))


if sys.argv[1] in ("make", "spread"):
    {"make": make, "spread": spread}[sys.argv[1]](*sys.argv[2:])
else:
    for argument in sys.argv[2:]:
        {"text": text, "markdown": markdown, "csv": table, "page": page, "drawing": drawing}[sys.argv[1]](argument)
