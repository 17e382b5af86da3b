# SPDX-License-Identifier: MIT
"""Asks node_exporter's textfile collector, which reads files of a folder and shows them as its own
metrics."""
import os

import lab
import text_format


class NodeExporter(lab.Program):
    """Puts a text of prfread into the collector's folder, and asks it for its metrics."""

    name = "node_exporter, textfile collector"
    what = "read each act's file; shows it again"
    knows = {"types", "helps"}

    def __init__(self, package):
        self.package, self.version = package, package.split("-")[0]
        self.server = self.url = None

    def start(self, scene):
        """Start node_exporter with only this collector."""
        program = os.path.join(lab.deb("prometheus-node-exporter", self.package),
                               "usr/bin/prometheus-node-exporter")
        port = lab.free_port()
        self.url = f"http://127.0.0.1:{port}/metrics"
        self.server = lab.Server([program, "--collector.disable-defaults", "--collector.textfile",
                                  "--collector.textfile.directory=FOLDER",
                                  "--web.disable-exporter-metrics",
                                  f"--web.listen-address=127.0.0.1:{port}"], self.url)

    def look(self, scene):
        """Replace the whole file at once, as prfread does, and ask."""
        path = os.path.join(self.server.folder, "prfread.prom")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(scene.text(False))
        os.replace(path + ".new", path)
        seen = text_format.read(lab.get(self.url))
        if seen.samples.pop(("node_textfile_scrape_error", frozenset())) != 0:
            raise lab.Problem("it refuses the file: " + self.server.said())
        for key in [key for key in seen.samples if key[0].startswith(("node_", "promhttp_"))]:
            del seen.samples[key]
        return seen

    def stop(self):
        """Stop node_exporter if it was started."""
        if self.server:
            self.server.stop()


PROGRAMS = [NodeExporter("1.5.0-1+b6"), NodeExporter("1.11.1-3")]
