#!/usr/bin/env python3
"""tests/fleet/synthetic.py RECORD... --out DIR [--nodes N] [--wrong N] [--seed N] - a fleet of records made from real ones by stated noise.

Each node has the metrics of one of the records, in turn, and of its own:
- noise: what a metric is off by in the mean (error_pct or residue_pct) gets a normal deviate more. Its standard deviation is the metric's
  own, the same on all nodes: 0 for a third of the metrics (identical counts), else between 1/50 and 1/2 of its tolerance;
- a tenth of the metrics has longer tails: one deviate in 20 is three times as large (only within the tolerance it does not count anyhow);
- wrong nodes, spread over the fleet: all rows of one metric of a group are off by 3 tolerances and 12 standard deviations, and these
  nodes, and 1 % of the others, run another kernel.
Prints the names of the wrong nodes.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import copy
import json
import os
import random


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("records", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--wrong", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def value_key(metric):
    return next((key for key in ("error_pct", "residue_pct") if (metric.get(key) or {}).get("avg") is not None), None)


def noise_of(metrics, rng):
    found = []
    for metric in metrics:
        tolerance = metric.get("tolerance_pct") or 0.1
        sd = 0.0 if rng.random() < 1 / 3 else tolerance * rng.uniform(0.02, 0.5)
        found.append((sd, rng.random() < 0.1))
    return found


def deviate(sd, has_tails, rng):
    size = sd * (3 if has_tails and rng.random() < 0.05 else 1)
    return rng.gauss(0, size) if sd > 0 else 0.0


def make_wrong(metrics, noise, rng):
    """Shifts the rows of one metric; those that can be shifted."""
    names = sorted({(m["group"], m["metric"]) for m in metrics if value_key(m) == "error_pct"})
    name = rng.choice(names)
    for metric, (sd, _) in zip(metrics, noise):
        key = value_key(metric)
        if key and (metric["group"], metric["metric"]) == name:
            shift = 3 * (metric.get("tolerance_pct") or 0.1) + 12 * sd
            metric[key]["avg"] += shift if rng.random() < 0.5 else -shift


def main():
    given = arguments()
    rng = random.Random(given.seed)
    models = [json.load(open(name, encoding="utf-8")) for name in given.records]
    noises = [noise_of(model["metrics"], rng) for model in models]
    wrong = set(rng.sample(range(given.nodes), given.wrong))
    os.makedirs(os.path.join(given.out, "nodes"), exist_ok=True)
    for number in range(given.nodes):
        model, noise = models[number % len(models)], noises[number % len(models)]
        record = dict(model, metrics=copy.deepcopy(model["metrics"]))
        host = "node%04d" % number
        odd = number in wrong or rng.random() < 0.01
        record["node"] = dict(model["node"], kind="native", name=host, hostname=host, microcode="0x49",
                              kernel="6.1.0-odd" if odd else "6.1.0-usual")
        for metric, (sd, has_tails) in zip(record["metrics"], noise):
            key = value_key(metric)
            if key:
                metric[key]["avg"] += deviate(sd, has_tails, rng)
        if number in wrong:
            make_wrong(record["metrics"], noise, rng)
            print(host)
        with open(os.path.join(given.out, "nodes", host + ".json"), "w", encoding="utf-8") as file:
            json.dump(record, file)


main()
