# SPDX-License-Identifier: MIT
"""Pushes each act's text to the pushgateway, and asks it for its metrics."""
import os
import urllib.request

import lab
import text_format


class Pushgateway(lab.Program):
    """A push with PUT replaces the whole group."""

    name = "pushgateway"
    what = "each act's text pushed with PUT; shows it again"
    knows = {"types", "helps"}

    def __init__(self, package):
        self.package, self.version = package, package.split("-")[0]
        self.server = self.url = None

    def start(self, scene):
        """Start the gateway without the persistence file that Debian's package has by default."""
        program = os.path.join(lab.deb("prometheus-pushgateway", self.package),
                               "usr/bin/prometheus-pushgateway")
        port = lab.free_port()
        self.url = f"http://127.0.0.1:{port}/metrics"
        self.server = lab.Server([program, "--persistence.file=", f"--web.listen-address=127.0.0.1:{port}"],
                                 self.url)

    def look(self, scene):
        """Push the text. Return what the gateway shows, without the gateway's own metrics."""
        request = urllib.request.Request(self.url + "/job/prfread", data=scene.text(False).encode(),
                                         method="PUT")
        try:
            urllib.request.urlopen(request, timeout=lab.LIMIT_S).close()
        except urllib.error.HTTPError as error:
            raise lab.Problem(error.read().decode()) from error
        told = text_format.read(lab.get(self.url))
        seen = lab.Understood()
        seen.types, seen.helps = told.types, told.helps
        for (name, labels), value in told.samples.items():
            labels = dict(labels)
            if labels.pop("job", "") == "prfread" and not name.startswith("push_"):
                seen.add(name, {key: str(text) for key, text in labels.items()}, value)
        if "inconsistent" in self.server.said():
            raise lab.Problem(self.server.said())
        return seen

    def stop(self):
        """Stop the gateway if it was started."""
        if self.server:
            self.server.stop()


PROGRAMS = [Pushgateway("1.5.1-2+b5"), Pushgateway("1.11.2-1")]
