#!/usr/bin/env python3
"""Compares each cell of the tables of threads with a record's samples: table_cells.py RECORD PAGE -> how many cells were compared.

Recomputes every cell: amounts are means over the repetitions of one region, never of a difference of two regions; no label
stands twice in a table; and no point, metric or thread that the samples have is left out.
SPDX-License-Identifier: GPL-3.0-or-later"""
import collections
import json
import re
import statistics
import sys

RATIO = ", thread 0 : 1"
PREFIX = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
BYTES = {None: 1, "Bytes": 1, "kBytes": 1e3, "MBytes": 1e6, "GBytes": 1e9}


def number(cell):
    """A cell's value, and what it may be off by: half of its third digit, or of its last one."""
    digits, _, unit = cell.partition(" ")
    value = float(digits)
    scale = PREFIX.get(unit, 1)
    whole = digits.lstrip("+-")
    last = 10.0 ** -len(whole.partition(".")[2]) if "." in whole else 1
    return value * scale, 0.5001 * max(last, 10.0 ** (len(str(int(abs(value)))) - 3) if unit in PREFIX else 0) * scale


def tables(page):
    """(title, head, rows) of each table below the page's heading of threads."""
    title, head, rows = None, None, []
    for line in page.split("\n### Every code")[0].split("\n"):
        cells = [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in line.strip("|").split(" | ")]
        if line.startswith("**"):
            title = re.sub(r"[`\\]", "", line)
        elif line.startswith("| ---") or line.startswith("| :"):
            pass
        elif line.startswith("|") and title:
            if head is None:
                head = cells
            else:
                rows.append([cell.strip(" |") for cell in cells])
        elif head is not None:
            yield title, head, rows
            title, head, rows = None, None, []


class Check:
    def __init__(self, samples):
        self.samples, self.compared, self.used = samples, 0, set()

    def cell(self, cell, found, get, what):
        """The cell is the mean of get(sample) over samples of one expectation."""
        amounts = {json.dumps(s["expected"], sort_keys=True) for s in found}
        assert len(amounts) <= 1, f"{what}: different amounts in one cell"
        values = [get(s) for s in found]
        if not values:
            assert cell == "-", f"{what}: {cell} of no sample"
            return
        value, slack = number(cell)
        mean = statistics.fmean(values)
        assert abs(value - mean) <= slack + 5e-4 * abs(mean) * (abs(mean) < 10), f"{what}: {cell}, the samples say {mean}"
        self.compared += 1
        self.used.update(id(s) for s in found)


def amount(sample):
    return sample["measured"] * BYTES[sample.get("unit")]


def error(sample):
    return 100 * (sample["measured"] / sample["expected"]["value"] - 1)


def check_imbalance(check, title, rows):
    code, numbers = re.match(r"\*\*(\S+), (.*)\*\* on", title).groups()
    given = {name: float(value) for name, value in (one.split() for one in numbers.split(", "))}
    mine = [s for s in check.samples if s["code"] == code and s["given"] == given]
    cpus = sorted({s["thread"] for s in mine})
    work = {cpu: next(s["processed"] for s in mine if s["thread"] == cpu) for cpu in cpus}
    ratio_of_work = work[cpus[0]] / work[cpus[1]]
    labels = [row[0] for row in rows]
    assert labels[0] == "Processed elements" and [float(c) for c in rows[0][1:3]] == [work[c] for c in cpus], f"{title}: elements"
    for label, *cells in rows[1:]:
        ratios = [s for s in mine if s["metric"] == label + RATIO]
        for cpu, cell in zip(cpus, cells):
            check.cell(cell, [s for s in mine if s["metric"] == label and s["thread"] == cpu], amount, f"{title} {label}")
        check.cell(cells[2], ratios, lambda s: s["measured"], f"{title} {label} ratio")
        check.cell(cells[3], ratios, lambda s: 100 * (s["measured"] / ratio_of_work - 1), f"{title} {label} error")
        check.cell(cells[5], ratios, error, f"{title} {label} error of the count")
    assert len(set(labels)) == len(labels), f"{title}: a label stands twice"
    wanted = {s["metric"][: -len(RATIO)] for s in mine if s["metric"].endswith(RATIO)}
    assert wanted == set(labels[1:]), f"{title}: {wanted ^ set(labels[1:])} missing"


def check_sharing(check, title, head, rows):
    metric, code, thread = re.match(r"\*\*(.*): (\S+), thread (\d+)\*\* on", title).groups()
    names = head[: head.index("According to model")]
    assert len({tuple(row[: len(names)]) for row in rows}) == len(rows), f"{title}: a label stands twice"
    for row in rows:
        given = dict(zip(names, (float(cell) for cell in row)))
        for column, is_two in ((len(names) + 1, False), (len(names) + 3, True)):
            place = [s for s in check.samples if s["code"] == code and s["given"] == given and s["expected"]["max"] > 0
                     and ("@" in s["placement"]) == is_two and re.sub(" in (this|another) socket$", "", s["metric"]) == metric]
            cpus = sorted({s["thread"] for s in check.samples if ("@" in s["placement"]) == is_two})
            found = [s for s in place if s["thread"] == cpus[int(thread)]]
            check.cell(row[column], found, amount, f"{title} {row}")
            check.cell(row[column + 1], found, error, f"{title} {row} error")


def main():
    record, page = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
    pattern = re.search(r"-(\w+)\.md$", sys.argv[2]).group(1)
    samples = [s for s in record["samples"] if s["pattern"] == pattern and s.get("regions") != 0]
    check, kinds = Check(samples), collections.Counter()
    for title, head, rows in tables(page):
        is_imbalance = head[0] == "Event/Metric"
        kinds["imbalance" if is_imbalance else "sharing"] += 1
        check_imbalance(check, title, rows) if is_imbalance else check_sharing(check, title, head, rows)
    left = [s for s in samples if id(s) not in check.used and s["expected"]["max"] > 0]
    if kinds["imbalance"]:
        ratios = {(s["code"], s["point"], s["metric"][: -len(RATIO)]) for s in samples if s["metric"].endswith(RATIO)}
        left = [s for s in left if (s["code"], s["point"], s["metric"]) in ratios]
    assert not left, f"{len(left)} samples are in no table, the first: {left[0]}"
    print(f"{check.compared} cells of {sum(kinds.values())} tables")


main()
