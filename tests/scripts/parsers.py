#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reads logs of prfread with programs that read CSV. 69-parsers.sh runs this.

    parsers.py PRFREAD FOLDER

A recording in which instances come and go becomes CSV, TSV and LONG. Python's csv and pandas, and
papaparse and csv-parse from npm, must find one heading, rows of its length, and the same numbers.
"""
import csv
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../interop"))
import lab  # noqa: E402

PAPA = """
const papa = require('papaparse'), fs = require('fs');
const read = papa.parse(fs.readFileSync(process.argv[1], 'utf8'), {header: true, skipEmptyLines: true});
console.log(JSON.stringify({errors: read.errors, fields: read.meta.fields, rows: read.data}));
"""
CSV_PARSE = """
const {parse} = require('csv-parse/sync'), fs = require('fs');
const rows = parse(fs.readFileSync(process.argv[1], 'utf8'), {columns: true,
                                                              delimiter: process.argv[1].endsWith('tsv') ? '\\t' : ','});
console.log(JSON.stringify({errors: [], fields: Object.keys(rows[0]), rows: rows}));
"""


def by_node(package, version, script, path):
    """Return the table that a package reads."""
    modules = os.path.join(lab.npm(package, version), "node_modules")
    done = subprocess.run(["node", "-e", script, path], env={**os.environ, "NODE_PATH": modules}, check=True,
                          stdout=subprocess.PIPE)
    read = json.loads(done.stdout)
    assert not read["errors"], (package, read["errors"][:3])
    return read["fields"], [[row[field] for field in read["fields"]] for row in read["rows"]]


def by_python(path):
    """Read with the standard library."""
    with open(path, encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file, delimiter="\t" if path.endswith("tsv") else ",", strict=True)
    return heading, rows


def by_pandas(path):
    """Read with pandas, which makes numbers and NaN."""
    import pandas  # pylint: disable=import-outside-toplevel
    frame = pandas.read_csv(path, sep="\t" if path.endswith("tsv") else ",", na_values=[" "])
    return list(frame.columns), [[cell if isinstance(cell, str) else "" if pandas.isna(cell) else cell
                                  for cell in row] for row in frame.itertuples(index=False)]


def plain(rows):
    """Return numbers as numbers, and missing values as nothing."""
    def cell(text):
        try:
            return float(text)
        except (TypeError, ValueError):
            return str(text).strip()
    return [[cell(each) for each in row] for row in rows]


def main():
    """End with exit code 1 if a program reads something else."""
    prfread, folder = sys.argv[1:]
    programs = {"Python's csv": by_python, "pandas": by_pandas,
                "papaparse": lambda path: by_node("papaparse", "5.4.1", PAPA, path),
                "csv-parse": lambda path: by_node("csv-parse", "5.5.6", CSV_PARSE, path)}
    for name, options in (("log.csv", []), ("log.tsv", ["-f", "TSV"]), ("long.csv", ["-f", "LONG"])):
        path = os.path.join(folder, name)
        subprocess.run([prfread, "-file", os.path.join(folder, "shop.blk"), "\\Worker(*)\\*", "-o", path, "-y", *options],
                       stderr=subprocess.DEVNULL, check=True)
        heading, rows = by_python(path)
        assert rows and {len(row) for row in rows} == {len(heading)}, f"{name}: rows of other lengths"
        for program, read in programs.items():
            try:
                seen = read(path)
            except (lab.Missing, ImportError) as missing:
                print(f"{program}: skipped: {missing}")
                continue
            assert seen[0] == heading, (program, name, seen[0][:3])
            assert plain(seen[1]) == plain(rows), (program, name)
            print(f"{program} reads {name}: {len(rows)} rows, {len(heading)} columns")


if __name__ == "__main__":
    main()
