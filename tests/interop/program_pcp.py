# SPDX-License-Identifier: MIT
"""Asks PCP's agent pmdaopenmetrics through a separate pmcd. Nothing is installed."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

import lab

VERSION = "6.0.3-1.1"
PACKAGES = [(name, VERSION) for name in ("pcp", "pcp-conf", "libpcp3", "libpcp-pmda3", "libpcp-web1", "libpcp-import1",
                                         "libpcp-gui2", "libpcp-mmv1", "python3-pcp")]
PACKAGES += [("python3-requests", "2.28.1+dfsg-1"), ("python3-urllib3", "1.26.12-1+deb12u4"),
             ("python3-certifi", "2022.9.24-1"), ("python3-chardet", "5.1.0+dfsg-2"),
             ("python3-idna", "3.3-1+deb12u1"), ("python3-charset-normalizer", "3.0.1-2"),
             ("python3-six", "1.16.0-4")]
VALUE = re.compile(r'    (?:inst \[\d+ or "\d+ (.*)"\] )?value (\S+)$')
# If a label has a quotation mark, the agent's JSON of the labels fails (its log says so). So LABELS
# finds the labels in the instance's name.
LABELS = re.compile(r"(?:le:(?P<le>\S+)(?: |$))?(?:name:(?P<name>.*?))?(?: le:(?P<le2>\S+))?$")


class Pcp(lab.Program):
    """pminfo asks pmcd, pmcd asks the agent, and the agent asks prfread."""

    name = "PCP, pmdaopenmetrics"
    version = VERSION.split("-", maxsplit=1)[0]
    what = "fetched each act; values, names and semantics by pminfo"
    pmcd = folder = environment = None

    def start(self, scene):
        """Make a tree of all packages, with a configuration that names places in it."""
        self.folder = root = tempfile.mkdtemp(prefix="prfdata-pcp.")
        for name, version in PACKAGES:
            shutil.copytree(lab.deb(name, version), root, symlinks=True, dirs_exist_ok=True)
        with open(f"{root}/etc/pcp.conf", encoding="utf-8") as file:
            text = re.sub(r"(?m)^(PCP_\w+_(?:DIR|PATH))=/", rf"\1={root}/", file.read())
        with open(f"{root}/etc/pcp.conf", "w", encoding="utf-8") as file:
            file.write(text)
        os.makedirs(f"{root}/sources")
        with open(f"{root}/sources/it.url", "w", encoding="utf-8") as file:
            file.write(f"http://{scene.address}/metrics\n")
        with open(f"{root}/names", "w", encoding="utf-8") as file:
            file.write("root {\n    openmetrics 144:*:*\n}\n")
        # ctypes does not search for libraries here, but it finds those that are already loaded.
        libraries = [glob.glob(f"{root}/usr/lib/lib{name}.so.*")[0]
                     for name in ("pcp", "pcp_pmda", "pcp_import", "pcp_gui", "pcp_mmv")]
        with open(f"{root}/pmcd.conf", "w", encoding="utf-8") as file:
            file.write(f'openmetrics 144 pipe binary notready /usr/bin/env "LD_PRELOAD={" ".join(libraries)}" '
                       f"/usr/bin/python3 {root}/usr/lib/pcp/pmdas/openmetrics/pmdaopenmetrics.python -d144 "
                       f"-c {root}/sources -l {root}/agent.log -u root\n"
                       '[access]\nallow "*" : all;\n')
        self.environment = {**os.environ, "LD_LIBRARY_PATH": f"{root}/usr/lib", "PCP_DIR": root,
                            "PCP_CONF": f"{root}/etc/pcp.conf", "PMCD_PORT": str(lab.free_port()),
                            "PYTHONPATH": f"{root}/usr/lib/python3/dist-packages",
                            "PYTHONDONTWRITEBYTECODE": "1"}
        self.pmcd = subprocess.Popen(
            [f"{root}/usr/lib/pcp/bin/pmcd", "-f", "-A", "-n", f"{root}/names", "-c", f"{root}/pmcd.conf",
             "-l", f"{root}/pmcd.log", "-i", "127.0.0.1", "-U", "root", "-s", f"{root}/socket", "-H", "localhost"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, *words):
        """Return pminfo's answer."""
        done = subprocess.run([f"{self.folder}/usr/bin/pminfo", "-h", "127.0.0.1", *words], check=False,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode(errors="replace")

    def look(self, scene):
        """Wait until PCP shows this act. Return what PCP understood."""
        lab.wait_for(lambda: re.search(rf"^    value {scene.act}$", self.ask("-f", "openmetrics.it.lab_act"), re.M),
                     lab.LIMIT_S, lambda: self.ask("-f", "openmetrics.it.lab_act"))
        seen = lab.Understood()
        truth = scene.counts.truth()
        for block in self.ask("-f", "-d", "openmetrics.it").split("\nopenmetrics.it."):
            lines = block.strip().split("\n")
            name = lines[0].strip()
            if "No value" in block or lab.is_ours(name) or not re.fullmatch(r"\w+", name):
                continue
            for instance, value in [match.groups() for match in map(VALUE.match, lines) if match]:
                labels = LABELS.match(instance or "").groupdict()
                labels["le"] = labels.pop("le2") or labels["le"]
                seen.add(name, {key: text for key, text in labels.items() if text}, value)
            self.check_semantics(truth, name, re.search(r"Semantics: (\w+)", block)[1], scene.broken)
        return seen

    def check_semantics(self, truth, name, semantics, broken):
        """Check which metrics PCP shows as rates."""
        kind = truth.types.get(re.sub("_total$", "", name))
        if kind and not broken and (semantics == "instant") != (kind == "gauge"):
            raise lab.Problem(f"{name} is a {kind}, and its semantics are {semantics}")

    def stop(self):
        """Stop pmcd if it was started. The agent ends with it."""
        if self.pmcd:
            self.pmcd.terminate()
            self.pmcd.wait(20)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


PROGRAMS = [Pcp()]
