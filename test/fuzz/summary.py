"""Tells what a run of Schemathesis did: cases, and each failed check with its operation, statuses and one example.

Usage: summary.py report.ndjson …
"""

import collections
import json
import sys


def events(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def main():
    cases = collections.Counter()
    failures = {}
    for event in events(sys.argv[1:]):
        scenario = event.get("ScenarioFinished")
        if scenario is None:
            continue
        recorder = scenario["recorder"]
        operation = recorder["label"]
        # A scenario that was skipped has no cases.
        cases[scenario["phase"]] += len(recorder.get("cases", {}))
        interactions = recorder.get("interactions", {})
        for case_id, checks in recorder.get("checks", {}).items():
            answer = (interactions.get(case_id) or {}).get("response") or {}
            for check in checks:
                if check["status"] != "failure":
                    continue
                key = (check["name"], operation, answer.get("status_code"))
                count, example = failures.get(key, (0, None))
                failures[key] = (count + 1, example or interactions.get(case_id))
    print(f"cases: {sum(cases.values())} {dict(cases)}")
    for (check, operation, status), (count, example) in sorted(failures.items(), key=lambda one: -one[1][0]):
        print(f"{count:5} {check} {operation} {status}")
        print(f"      {json.dumps(example)[:600]}")


main()
