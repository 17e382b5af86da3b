# SPDX-License-Identifier: MIT
"""Handles the table of the lab in docs/tested-with.md: `run --page` writes it, `run --check` compares it."""
import datetime

HEADING = "## Run by the lab"
COLUMNS = ["program", "version", "date", "what was run", "result", "what to do"]


class Page:
    """The page. Its first table after the heading is the lab's table."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        start = self.lines.index(HEADING)
        self.first = next(i for i in range(start, len(self.lines)) if self.lines[i].startswith("|")) + 2
        self.end = next(i for i in range(self.first, len(self.lines)) if not self.lines[i].startswith("|"))
        self.rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in self.lines[self.first:self.end]]

    def mistakes(self, programs):
        """Yield what is wrong with the table: other columns, missing rows, unknown rows, rows with a
        wrong number of cells, and rows without a result."""
        if [cell.strip() for cell in self.lines[self.first - 2].strip("|").split("|")] != COLUMNS:
            yield f"{self.path}: the columns of the lab's table are {', '.join(COLUMNS)}"
        shown = [(row[0], row[1], row[3]) for row in self.rows if len(row) == len(COLUMNS)]
        wanted = [(program.name, program.version, program.what) for program in programs]
        for row in wanted:
            if row not in shown:
                yield f"{self.path} has no row: {' | '.join(row)}"
        for row in self.rows:
            if len(row) != len(COLUMNS):
                yield f"{self.path}: {len(row)} cells instead of {len(COLUMNS)}: {' | '.join(row)}"
            elif (row[0], row[1], row[3]) not in wanted:
                yield f"{self.path} has a row too many: {' | '.join(row)}"
            elif not row[4][:1].isdigit():
                yield f"{self.path}: what the lab has seen is no such result: {' | '.join(row)}"

    def write(self, rows):
        """Write the results of a run. The column about what to do, which a person wrote, stays."""
        advice = {(row[0], row[1]): row[5] for row in self.rows if len(row) == len(COLUMNS)}
        today = datetime.date.today().isoformat()
        made = [[row.program.name, row.program.version, today, row.program.what, row.result,
                 advice.get((row.program.name, row.program.version), "nothing")] for row in rows]
        self.lines[self.first:self.end] = ["| " + " | ".join(cells) + " |" for cells in made]
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines))
