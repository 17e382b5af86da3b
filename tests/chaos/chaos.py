#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Run writers that come and go in every way that processes can, and readers that watch them.

    tests/chaos/chaos.py [options] <chaos program> [<word before it>...]

The driver starts writers and readers that share one regions folder. All of them are Linux programs,
or all are Windows programs under Wine, because Linux and Windows programs cannot share this folder.
The driver kills, stops, continues and restarts writers at random. The writers add, remove, count
inside brackets, close and open. The seed decides what the driver and each writer try to do; the
system decides when they run. At the end half of the writers are killed, and the others end by
themselves. Then the readers compare totals with what was counted. With --equal, short programs of
equal work follow each other, and a reader looks for replies that mix parts of two programs. With
--late, such programs start while nothing is installed, and publish later. The exit code is 1 if a
program or the driver found a fault, for instance more files than publishers need, or counts that
are not shown.
"""
import argparse
import mmap
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

KEYS = 20
WRITER_BYTES = 128 + 64 * KEYS
RUNS, ENDS, ENDED = 0, 1, 2


class Log:
    """The words of tests/chaos/log.h that the driver writes."""

    def __init__(self, path):
        with open(path, 'r+b') as file:
            self.words = mmap.mmap(file.fileno(), 0)

    def store(self, offset, value):
        struct.pack_into('<Q', self.words, offset, value)

    def set_phase(self, phase):
        self.store(0, phase)

    def set_killed(self, writer, incarnation):
        self.store(64 + writer * WRITER_BYTES + 8, incarnation)

    def set_reaped(self, writer, incarnation):
        self.store(64 + writer * WRITER_BYTES + 16, incarnation)


class Writer:
    def __init__(self, arena, number):
        self.arena, self.number = arena, number
        self.incarnation = 0
        self.process = None
        self.is_stopped = False
        self.start_at = 0
        self.continue_at = 0

    def start(self):
        self.incarnation += 1
        seed = random.getrandbits(63)
        self.process = self.arena.run('write', self.arena.log_name, self.number, self.incarnation,
                                      seed, self.arena.version_count)
        self.is_stopped = False

    def kill(self):
        self.arena.log.set_killed(self.number, self.incarnation)
        self.process.kill()
        self.reap()

    def reap(self):
        code = self.process.wait()
        self.arena.log.set_killed(self.number, self.incarnation)
        self.arena.log.set_reaped(self.number, self.incarnation)
        self.process = None
        self.is_stopped = False
        if code not in (0, -signal.SIGKILL):
            self.arena.fault(f'writer {self.number}/{self.incarnation} ended with {code}')

    def stop(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        self.is_stopped = True
        self.continue_at = time.monotonic() + seconds

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)
        self.is_stopped = False


class Arena:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix='prfdata-chaos.')
        self.log_name = os.path.join(self.folder, 'log')
        self.faults = 0
        self.kills = self.stops = self.starts = self.upgrades = 0
        self.most_files = 0
        self.version_count = 3 if options.versions else 1
        self.environment = dict(os.environ)
        # When a process ends, the leak sanitizer stops the threads of the process. A SIGSTOP of this
        # test would disturb the sanitizer.
        self.environment['ASAN_OPTIONS'] = 'detect_leaks=0'
        self.readers = []
        self.writers = []
        self.installer = None

    def fault(self, text):
        self.faults += 1
        print(f'FAULT: {text}', flush=True)

    def run(self, *arguments, **options):
        return subprocess.Popen([*self.options.command, *map(str, arguments)],
                                env=self.environment, **options)

    def open(self):
        is_equal = self.options.equal or self.options.late
        self.installer = self.run('equal-install' if is_equal else 'install',
                                  self.log_name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True)
        self.regions = self.installer.stdout.readline().strip()
        if not self.regions:
            raise RuntimeError('the service could not be made')
        if self.options.windows:
            self.regions = os.path.join(os.environ['WINEPREFIX'], 'dosdevices',
                                        self.regions[:2].lower(),
                                        self.regions[3:].replace('\\', '/'))
        else:
            self.environment['PRFDATA_TEST_ROOT'] = os.path.dirname(self.regions)
        if not is_equal:
            self.log = Log(self.log_name)
        for version in range(1, self.version_count):  # writers may publish installed versions only
            self.make_current(version)

    def tell_installer(self, what):
        self.installer.stdin.write(f'{what}\n')
        self.installer.stdin.flush()
        if self.installer.stdout.readline().strip() != str(what):
            raise RuntimeError('the counters could not be installed or uninstalled')

    def make_current(self, version):
        """Upgrade or downgrade the counters to this version."""
        self.tell_installer(version)
        self.upgrades += 1

    def start_reader(self, refresh_ms, *arguments):
        self.readers.append(self.run('read', self.log_name, self.options.threads,
                                     random.getrandbits(60), refresh_ms, *arguments))

    def start_readers(self):
        if self.options.dll:
            self.start_reader(1000, self.options.dll)
        else:
            self.start_reader(20)
            self.start_reader(1000)

    def count_files(self):
        self.most_files = max(self.most_files, sum(name.endswith('.region')
                                                   for name in os.listdir(self.regions)))

    def step(self):
        """Start and continue the writers that are due. Perhaps make another version current. Perhaps
        kill or stop one writer."""
        now = time.monotonic()
        for writer in self.writers:
            if writer.process and writer.process.poll() is not None:
                writer.reap()
                writer.start_at = now + random.uniform(0, 0.3)
            if not writer.process and now >= writer.start_at:
                writer.start()
                self.starts += 1
            if writer.is_stopped and now >= writer.continue_at:
                writer.go_on()
        if self.version_count > 1 and random.random() < 0.2:
            self.make_current(random.randrange(self.version_count))
        writer = random.choice(self.writers)
        what = random.random()
        if not writer.process:
            return
        if what < 0.3:
            writer.kill()
            self.kills += 1
            writer.start_at = now + random.choice((0, 0, random.uniform(0, 1)))
        elif what < 0.6 and not writer.is_stopped:
            writer.stop(random.choice((0.01, 0.1, 0.5, random.uniform(1, 5))))
            self.stops += 1

    def churn(self):
        self.writers = [Writer(self, number) for number in range(self.options.writers)]
        end = time.monotonic() + self.options.seconds
        while time.monotonic() < end and all(reader.poll() is None for reader in self.readers):
            self.step()
            self.count_files()
            time.sleep(random.uniform(0, 2 * self.options.pause))

    def end(self):
        for writer in self.writers:
            if writer.is_stopped:
                writer.go_on()
            if writer.process and writer.number % 2:
                writer.kill()
        self.log.set_phase(ENDS)
        for writer in self.writers:
            if writer.process:
                writer.reap()
        self.count_files()
        self.log.set_phase(ENDED)
        for reader in self.readers:
            if reader.wait(timeout=300):
                self.faults += 1
        # A writer needs one file for each version, because a publisher takes over only regions of the
        # version that it opens.
        if self.most_files > self.options.writers * self.version_count:
            self.fault(f'{self.most_files} files of {self.options.writers} publishers')

    def read_equal_work(self):
        """Run programs of equal work one after the other, while a reader looks for replies that
        mix parts of two programs."""
        seed = 0  # seed of the first program, which uses all slots
        reader = None
        while not reader or reader.poll() is None:
            writer = self.run('equal-write', seed)
            seed = random.getrandbits(63) | 1
            if writer.wait():
                self.fault(f'a program of equal work ended with {writer.returncode}')
                break
            self.starts += 1
            if not reader:
                # without plans, because every program that ends would make them invalid
                reader = self.run('equal-read', self.options.threads, int(self.options.seconds), 0)
                self.readers.append(reader)
        self.count_files()
        self.faults += reader.wait() != 0 if reader else 1

    def count_equal_work(self):
        """Return how many brackets all programs have counted."""
        counter = self.run('equal-total', stdout=subprocess.PIPE, text=True)
        self.readers.append(counter)
        text = counter.communicate()[0]
        if counter.returncode:
            raise RuntimeError('the counts could not be read')
        return int(text.split()[-1])

    def start_before_installation(self):
        """Return programs that count while nothing is installed."""
        self.tell_installer('u')
        programs = [self.run('equal-late', random.randint(1, 3), random.getrandbits(63),
                             stdout=subprocess.PIPE, text=True) for _ in range(random.randint(1, 3))]
        self.readers += programs
        self.starts += len(programs)
        if any(program.stdout.readline() != 'ready\n' for program in programs):
            raise RuntimeError('a program could not start before the installation')
        return programs

    def read_late_programs(self):
        """Read while programs that were started before the installation begin to publish."""
        end = time.monotonic() + self.options.seconds
        if self.run('equal-write', 0).wait():
            raise RuntimeError('the first program failed')
        counted = self.count_equal_work()
        while not self.starts or time.monotonic() < end:
            programs = self.start_before_installation()
            time.sleep(random.uniform(0, 0.1))
            self.tell_installer('i')
            reader = self.run('equal-read', self.options.threads, 1, random.randrange(2))
            self.readers.append(reader)
            counted += sum(int(program.communicate()[0]) for program in programs)
            self.faults += reader.wait() != 0
            total = self.count_equal_work()
            if total != counted or any(program.returncode for program in programs):
                self.fault(f'{counted} brackets were counted, and {total} are shown')
        self.count_files()

    def close(self):
        for process in self.readers + [writer.process for writer in self.writers]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if self.installer:
            self.installer.stdin.close()
            self.installer.wait(timeout=300)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--seconds', type=float, default=30)
    parser.add_argument('--seed', type=int, default=None)
    parser.add_argument('--writers', type=int, default=16)
    parser.add_argument('--threads', type=int, default=3, help='of each reader')
    parser.add_argument('--pause', type=float, default=0.03, help='seconds between two steps')
    parser.add_argument('--equal', action='store_true',
                        help='short programs of equal work; one reader looks for halves')
    parser.add_argument('--late', action='store_true',
                        help='programs of equal work that start before the installation')
    parser.add_argument('--versions', action='store_true',
                        help='three versions of the map, upgraded and downgraded all the time')
    parser.add_argument('--windows', action='store_true', help='Windows programs, under Wine')
    parser.add_argument('--dll', help='the provider DLL that the reader loads')
    parser.add_argument('command', nargs='+')
    options = parser.parse_args()

    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    random.seed(seed)
    print(f'seed {seed}, {options.writers} writers, {options.seconds:g} s', flush=True)
    arena = Arena(options)
    try:
        arena.open()
        if options.equal:
            arena.read_equal_work()
        elif options.late:
            arena.read_late_programs()
        else:
            arena.start_readers()
            arena.churn()
            arena.end()
    finally:
        arena.close()
    print(f'{arena.starts} starts, {arena.kills} kills, {arena.stops} stops, at most '
          f'{arena.most_files} files')
    if arena.faults:
        print(f'FAILED with --seed {seed}')
    return 1 if arena.faults else 0


if __name__ == '__main__':
    sys.exit(main())
