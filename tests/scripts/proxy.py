#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests Caddy in front of prfread, as docs/prometheus.md describes it. 68-proxy.sh runs this.

    proxy.py FOLDER CADDY PORT

FOLDER has the files of the page and its certificate; PORT is the port of prfread. In Caddy's file,
a free port and PORT replace the page's ports. A scrape with TLS and the password is answered. A
scrape without TLS, without a password or with another password is refused. prfread itself refuses a
host that it does not know. Without the page's header_up, Caddy would pass such a host on.
"""
import base64
import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

LIMIT_S = 60


def free_port():
    """Return a port of the loopback that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Proxy:
    """Caddy with the page's file."""

    def __init__(self, folder, caddy, served):
        self.port = free_port()
        with open(os.path.join(folder, "Caddyfile"), encoding="utf-8") as file:
            text = file.read()
        assert ":9443 {" in text and "127.0.0.1:9182" in text, text
        text = text.replace(":9443 {", f":{self.port} {{").replace("127.0.0.1:9182", f"127.0.0.1:{served}")
        self.path = os.path.join(folder, f"Caddyfile-{self.port}")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        self.said = open(self.path + ".said", "w+", encoding="utf-8")
        self.process = subprocess.Popen([caddy, "run", "--config", self.path, "--adapter", "caddyfile"],
                                        cwd=folder, stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said,
                                        env={**os.environ, "HOME": folder})
        self.context = ssl.create_default_context(cafile=os.path.join(folder, "queues.crt"))
        end = time.monotonic() + LIMIT_S
        while True:
            try:
                self.scrape("prometheus", "secret")
                return
            except (urllib.error.URLError, ConnectionError) as error:
                assert time.monotonic() < end and self.process.poll() is None, (error, self.words())
                time.sleep(0.1)

    def words(self):
        """Return Caddy's output."""
        self.said.seek(0)
        return self.said.read()

    def scrape(self, user, password):
        """Return status and body."""
        request = urllib.request.Request(f"https://localhost:{self.port}/metrics")
        if user:
            pair = base64.b64encode(f"{user}:{password}".encode()).decode()
            request.add_header("Authorization", "Basic " + pair)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S, context=self.context) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def stop(self):
        """Stop the process."""
        self.process.terminate()
        self.process.wait()
        self.said.close()


def main():
    """End with exit code 1 if anything is wrong."""
    folder, caddy, served = sys.argv[1], sys.argv[2], int(sys.argv[3])
    proxy = Proxy(folder, caddy, served)
    try:
        status, body = proxy.scrape("prometheus", "secret")
        assert status == 200 and b"\nprfread_object_up" in body, (status, body)
        assert proxy.scrape(None, None)[0] == 401
        assert proxy.scrape("prometheus", "secret2")[0] == 401
        try:
            urllib.request.urlopen(f"http://localhost:{proxy.port}/metrics", timeout=LIMIT_S).close()
            raise AssertionError("it answers without TLS")
        except urllib.error.HTTPError as error:
            assert error.code == 400, error
    finally:
        proxy.stop()
    # Without the page's header_up, a proxy passes this host on.
    request = urllib.request.Request(f"http://127.0.0.1:{served}/metrics", headers={"Host": "queues.example"})
    try:
        urllib.request.urlopen(request, timeout=LIMIT_S).close()
        raise AssertionError("prfread answers for any host")
    except urllib.error.HTTPError as error:
        assert error.code == 421, error


if __name__ == "__main__":
    main()
