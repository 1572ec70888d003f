#!/usr/bin/env python3
"""tests/fleet/synthetic.py RECORD... --out DIR [--nodes N] [--wrong N] [--off SD] [--seed N] - a fleet of records made from real ones by stated noise.

Each node has the metrics of one of the records, in turn, and of its own:
- noise: what a metric is off by in the mean (error_pct or residue_pct) gets a normal deviate more. Its standard deviation is the metric's
  own, the same on all nodes: 0 for a third of the metrics (identical counts), else between 1/50 and 1/2 of its tolerance;
- a tenth of the metrics has longer tails: one deviate in 20 comes from a distribution three times as wide;
- wrong nodes, spread over the fleet: all rows of one metric of a group are off by 3 tolerances and 12 (--off) standard deviations, up or
  down.
  These nodes, and 1 % of the others, run another kernel.
Prints the names of the wrong nodes.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import json
import os
import random

MARK = -123456789.25  # stands for a value in a metric's text


class Metric:
    """The text of a metric around its value, and its noise."""

    def __init__(self, metric, off, rng):
        key = next((key for key in ("error_pct", "residue_pct") if (metric.get(key) or {}).get("avg") is not None), None)
        tolerance = metric.get("tolerance_pct") or 0.1
        self.sd = 0.0 if rng.random() < 1 / 3 else tolerance * rng.uniform(0.02, 0.5)
        self.has_tails = rng.random() < 0.1
        self.name = (metric["group"], metric["metric"]) if key == "error_pct" else None
        self.shift = 3 * tolerance + off * self.sd
        if key is None:
            self.value, self.parts = None, [json.dumps(metric)]
            return
        self.value = metric[key]["avg"]
        self.parts = json.dumps(dict(metric, **{key: dict(metric[key], avg=MARK)})).split(json.dumps(MARK))

    def text(self, wrong, rng):
        if self.value is None:
            return self.parts[0]
        value = self.value
        if self.sd > 0:
            value += rng.gauss(0, self.sd * (3 if self.has_tails and rng.random() < 0.05 else 1))
        if wrong is not None and self.name == wrong:
            value += self.shift if rng.random() < 0.5 else -self.shift
        return ("%.12g" % value).join(self.parts)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("records", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--wrong", type=int, default=5)
    parser.add_argument("--off", type=float, default=12)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    given = arguments()
    rng = random.Random(given.seed)
    records = []
    for name in given.records:
        with open(name, encoding="utf-8") as file:
            records.append(json.load(file))
    metrics = [[Metric(metric, given.off, rng) for metric in record.pop("metrics")] for record in records]
    wrong = set(rng.sample(range(given.nodes), given.wrong))
    os.makedirs(os.path.join(given.out, "nodes"), exist_ok=True)
    for number in range(given.nodes):
        record, own = records[number % len(records)], metrics[number % len(records)]
        host = "node%04d" % number
        kernel = "6.1.0-odd" if number in wrong or rng.random() < 0.01 else "6.1.0-usual"
        node = dict(record["node"], kind="native", name=host, hostname=host, microcode="0x49", kernel=kernel)
        name = rng.choice(sorted({metric.name for metric in own if metric.name})) if number in wrong else None
        if name:
            print(host)
        with open(os.path.join(given.out, "nodes", host + ".json"), "w", encoding="utf-8") as file:
            head = json.dumps(dict(record, node=node))
            file.write(head[:-1] + ',\n"metrics": [\n' + ",\n".join(metric.text(name, rng) for metric in own) + "]}\n")


main()
