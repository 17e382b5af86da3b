# SPDX-License-Identifier: MIT
"""Run a program on a terminal: type keys, and wait until the screen shows something.

Tests never sleep for a fixed time. They wait for a condition, and fail after a generous limit.
"""
import fcntl
import os
import select
import signal
import struct
import termios
import time

import pyte

LIMIT_S = 300  # the longest wait for any condition


class Failed(Exception):
    """An expected event did not happen."""


class Screen:
    """A program on a pseudo-terminal. pyte computes its screen."""

    def __init__(self, command, width=80, height=24, environment=None):
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.sent = b""
        self.exit_code = None
        self.terminal, program_end = os.openpty()
        fcntl.ioctl(program_end, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.modes = termios.tcgetattr(program_end)
        self.process = os.fork()
        if self.process == 0:
            os.login_tty(program_end)
            os.environ.update(environment or {})
            os.environ["TERM"] = "xterm-256color"
            try:
                os.execvp(command[0], command)
            except OSError as error:
                os.write(2, f"{command[0]}: {error}\n".encode())
            os._exit(127)
        os.close(program_end)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.exit_code is None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.terminal)

    def resize(self, width, height):
        """Resize the terminal, as a user who drags its window does."""
        self.screen.resize(height, width)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def press(self, keys):
        """Type characters or sequences."""
        os.write(self.terminal, keys if isinstance(keys, bytes) else keys.encode())

    def kill(self, signal_number):
        """Send a signal."""
        os.kill(self.process, signal_number)

    def lines(self):
        """Return the lines of the screen, without blanks at their ends."""
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        """Return the screen as one string."""
        return "\n".join(self.lines())

    def line_of(self, begin):
        """Return the first line that begins with the text, or an empty one."""
        return next((line for line in self.lines() if line.startswith(begin)), "")

    def reversed_line(self):
        """Return the first line in reverse video, or None."""
        for y in range(self.screen.lines):
            cell = self.screen.buffer[y][0]
            if cell.reverse or cell.bg not in ("default", "black"):  # Wine exchanges the colours
                return self.lines()[y]
        return None

    def _read(self, seconds):
        """Read the program's output. Return False at its end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            got = os.read(self.terminal, 65536)
        except OSError:  # the other end is closed
            got = b""
        self.sent += got
        self.stream.feed(got)
        return bool(got)

    def pump(self):
        """Read the output so far. Return False at the program's end."""
        while select.select([self.terminal], [], [], 0)[0]:
            if not self._read(0):
                return False
        return True

    def wait_for(self, condition, what):
        """Wait until condition(self) holds."""
        end = time.monotonic() + LIMIT_S
        while not condition(self):
            if not self._read(1) and not condition(self):
                raise Failed(f"{what}: the program ended\n{self.text()}")
            if time.monotonic() > end:
                raise Failed(f"{what}: not within {LIMIT_S} s\n{self.text()}")

    def wait_for_text(self, *texts):
        """Wait until the screen shows all of these texts."""
        self.wait_for(lambda s: all(text in s.text() for text in texts), f"waiting for {texts}")

    def is_as_before(self):
        """Return whether the terminal has the same modes as before the program."""
        return termios.tcgetattr(self.terminal) == self.modes

    def wait_for_end(self):
        """Wait for the end of the program. Return its exit code, or minus the signal."""
        end = time.monotonic() + LIMIT_S
        while self._read(1):
            if time.monotonic() > end:
                raise Failed(f"the program does not end\n{self.text()}")
        status = os.waitpid(self.process, 0)[1]
        self.exit_code = os.waitstatus_to_exitcode(status)
        return self.exit_code
