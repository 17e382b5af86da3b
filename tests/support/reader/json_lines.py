#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the output of prfread -f JSON with Python's own parser: json_lines.py FILE."""
import datetime
import json
import sys

SAMPLE = ["Path", "InstanceName", "CookedValue", "RawValue", "SecondValue", "MultipleCount",
          "CounterType", "Timestamp", "Timestamp100NSec", "Status", "DefaultScale", "TimeBase"]
STATISTICS = ["Path", "Values", "Skipped", "Minimum", "Maximum", "Mean", "TimeWeightedMean",
              "EndToEndMean"]


def unique(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


def constant(name):
    raise ValueError(name + " is no JSON")


def check_time(value):
    begin = datetime.datetime(1601, 1, 1, tzinfo=datetime.timezone.utc)
    time = datetime.datetime.fromisoformat(value["Timestamp"].replace("Z", "+00:00"))
    assert (time - begin) // datetime.timedelta(microseconds=1) * 10 == value["Timestamp100NSec"]


def check_sample(sample):
    check_time(sample)
    for value in sample["CounterSamples"]:
        assert list(value) == SAMPLE, list(value)
        check_time(value)
        assert list(value["CounterType"]) == ["Number", "Name"]
        assert list(value["Status"]) == ["Code", "Name"]
        assert (value["CookedValue"] is None) == (value["Status"]["Code"] != 0)
        for name in ("RawValue", "SecondValue", "TimeBase"):
            assert value[name] is None or isinstance(value[name], int)


def main():
    with open(sys.argv[1], "rb") as file:
        text = file.read()
    assert text.endswith(b"\n") and b"\r" not in text
    lines = [json.loads(line, object_pairs_hook=unique, parse_constant=constant)
             for line in text.decode("utf-8").split("\n")[:-1]]
    assert lines
    for line in lines:
        if list(line) == ["Statistics"]:
            assert line is lines[-1]
            for value in line["Statistics"]:
                assert list(value) == STATISTICS, list(value)
        else:
            assert list(line) == ["Timestamp", "Timestamp100NSec", "CounterSamples"], list(line)
            check_sample(line)
    whole = [value["CookedValue"] for line in lines[:-1] for value in line["CounterSamples"]]
    assert 9007199254740993 in whole  # a double cannot hold this number
    print(len(lines), "lines")


main()
