#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs prfread on Linux: where its output goes, and what ends it.

    test_prfread_posix.py <prfread> <repository>
"""
import csv
import fcntl
import io
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(SOURCE / 'tests/scripts'))
import doubling  # noqa: E402 (makes saved blocks)

ALL = '\\O(*)\\*'


def catches_interrupt(process):
    """Return whether the process has a handler for Ctrl+C."""
    with open(f'/proc/{process}/status', encoding='ascii') as status:
        caught = next((line for line in status if line.startswith('SigCgt:')), 'SigCgt: 0')
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


class PrfreadPosix(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.write_instances('one.blk', ['a'])

    def write_instances(self, name, instances):
        (self.path / name).write_bytes(
            doubling.block([doubling.wire_object(2, [4], [doubling.instance(each) for each in instances])])
            + doubling.titles(doubling.NAMES))

    def start(self, *arguments, **more):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.path, **{
            'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **more})

    def run_it(self, *arguments, **more):
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=60)
        return process.returncode, (out or b'').decode(), err.decode()

    def test_statistics_that_cannot_be_written_do_not_blame_the_file(self):
        with open('/dev/full', 'wb') as full:
            code, _, err = self.run_it('-file', 'one.blk', ALL, '-stats', '-o', 'a.csv', stdout=full)
        self.assertEqual(code, 4)
        self.assertIn('Error: cannot write: error 112 ', err)
        self.assertNotIn('a.csv', err)

    def test_help_and_version_report_that_they_cannot_be_written(self):
        for option in ('-?', '-version'):
            with open('/dev/full', 'wb') as full:
                code, _, err = self.run_it(option, stdout=full)
            self.assertEqual((code, err), (4, 'Error: cannot write: error 112 The disk is full.\n'), option)

    def test_a_file_beyond_the_limit_of_the_shell_is_a_full_disk(self):
        self.write_instances('many.blk', [f'instance {i}' for i in range(1000)])

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

        code, _, err = self.run_it('-file', 'many.blk', ALL, '-o', 'a.csv', preexec_fn=limit_files)
        self.assertEqual(code, 4, err)
        self.assertIn('Error: a.csv: cannot write: error 112 The disk is full.\n', err)

    def test_a_pipe_that_does_not_block_gets_everything(self):
        self.write_instances('many.blk', [f'instance {i}' for i in range(5000)])
        wanted = self.run_it('-file', 'many.blk', '-qx')[1]
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETFL, fcntl.fcntl(writer, fcntl.F_GETFL) | os.O_NONBLOCK)
        process = self.start('-file', 'many.blk', '-qx', stdout=writer)
        os.close(writer)
        time.sleep(0.2)  # the pipe becomes full
        with os.fdopen(reader, 'rb') as stream:
            self.assertEqual(stream.read().decode(), wanted)
        self.assertEqual((process.wait(60), process.stderr.read()), (0, b''))
        process.stderr.close()

    def test_input_that_does_not_block_is_read_to_its_end(self):
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETFL, fcntl.fcntl(reader, fcntl.F_GETFL) | os.O_NONBLOCK)
        process = self.start('-file', 'one.blk', '-cf', '-', stdin=reader)
        os.close(reader)
        time.sleep(0.2)
        os.write(writer, ALL.encode() + b'\n')
        os.close(writer)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn(b'\\O(a)\\C', out)

    def test_the_name_of_a_descriptor_means_what_the_shell_redirected_it_to(self):
        for arguments in (('-f', 'CSV', ALL), ('-f', 'JSON', ALL), ('-f', 'PROM', ALL), ('-q',), ('-dump',), ('-explain',)):
            for option, name in (([], '/dev/stdout'), (['-y'], '/dev/stdout'), ([], '/dev/fd/1'), ([], '/proc/self/fd/1')):
                target = self.path / 'target'
                target.write_text('before\n', encoding='utf-8')
                with open(target, 'ab') as stdout:
                    code, _, err = self.run_it('-file', 'one.blk', *arguments, '-o', name, *option, stdout=stdout)
                self.assertEqual(code, 0, (arguments, name, err))
                text = target.read_text(encoding='utf-8')
                self.assertTrue(text.startswith('before\n') and len(text) > len('before\n'), (arguments, name, text))

    def test_a_file_that_is_read_is_not_overwritten(self):
        before = (self.path / 'one.blk').read_bytes()
        (self.path / 'paths').write_text(ALL + '\n', encoding='utf-8')
        os.symlink('one.blk', self.path / 'link')
        os.link(self.path / 'one.blk', self.path / 'name')
        for arguments in (('-file', 'one.blk', ALL, '-o', 'one.blk'), ('-file', 'one.blk', ALL, '-f', 'OM', '-o', 'link'),
                          ('-file', 'link', '-q', '-o', 'name'), ('-file', 'one.blk', '-save', './one.blk'),
                          ('-file', 'name', 'one.blk', ALL, '-o', 'one.blk'),
                          ('-file', 'one.blk', '-cf', 'paths', '-o', 'paths')):
            code, _, err = self.run_it(*arguments, '-y')
            self.assertEqual((code, err), (2, f'Error: {arguments[-1]}: prfread reads this file; name another one to '
                                           'write to\n'))
            self.assertEqual((self.path / 'one.blk').read_bytes(), before)
        self.assertEqual(self.run_it('-file', 'one.blk', ALL, '-o', 'other', '-y')[0], 0)

    def test_ctrl_c_ends_the_wait_for_the_other_end_of_a_pipe(self):
        os.mkfifo(self.path / 'pipe')
        for arguments in (('-file', 'pipe', ALL), ('-file', 'one.blk', ALL, '-o', 'pipe'),
                          ('-file', 'one.blk', ALL, '-o', 'pipe', '-f', 'OM'),
                          ('-file', 'one.blk', '-cf', 'pipe'), ('-file', 'one.blk', '-cf', '-')):
            held, other = os.pipe()
            process = self.start(*arguments, stdin=held)
            end = time.monotonic() + 30
            while process.poll() is None and time.monotonic() < end:
                # A signal that comes before prfread waits has no effect, so it is sent again.
                if catches_interrupt(process.pid):
                    process.send_signal(signal.SIGINT)
                time.sleep(0.1)
            is_hanging = process.poll() is None
            if is_hanging:
                process.kill()
            _, err = process.communicate()
            os.close(held)
            os.close(other)
            self.assertFalse(is_hanging, f'{arguments}: Ctrl+C does not end prfread')
            self.assertIn(b'error 1223 The user has ended the wait.', err)
            self.assertEqual(process.returncode, 4, arguments)

    def test_times_that_do_not_exist_are_left_out(self):
        whole = (self.path / 'one.blk').read_bytes()
        # The month and the day are two of the numbers of SystemTime, which begins at byte 36.
        for month, day in ((13, 1), (2, 30), (65535, 65535)):
            (self.path / 'odd.blk').write_bytes(
                whole[:38] + month.to_bytes(2, 'little') + whole[40:42] + day.to_bytes(2, 'little') + whole[44:])
            _, out, _ = self.run_it('-file', 'odd.blk', ALL, '-f', 'LONG')
            self.assertEqual(out.splitlines()[1:], ['"","\\\\DOUBLE\\O(a)\\C",""'])
            _, out, _ = self.run_it('-file', 'odd.blk', ALL, '-f', 'JSON')
            self.assertIn('{"Timestamp":null,', out)

    def test_each_path_of_a_list_is_a_line_that_finds_its_counter(self):
        names = ['a\r\nb', 'c\nd', 'e\rf', 'x)\\C\n\\Forged(y', '\r\n', '\n', 'plain', 't\tt']
        self.write_instances('names.blk', names)
        _, out, _ = self.run_it('-file', 'names.blk', '-qx')
        paths = out.splitlines(keepends=True)
        self.assertEqual(len(paths), len(names), out)
        for path in paths:
            (self.path / 'path').write_text(path, encoding='utf-8', newline='')
            self.assertEqual(self.run_it('-file', 'names.blk', '-cf', 'path')[0], 0, path)

    def test_line_ends_in_names_survive_csv(self):
        names = ['a\r\nb', 'c\nd', 'e\rf', 'g\r\r\nh', '\r\n']
        self.write_instances('names.blk', names)
        code, out, _ = self.run_it('-file', 'names.blk', ALL)
        self.assertEqual(code, 0)
        rows = list(csv.reader(io.StringIO(out, newline='')))
        self.assertEqual([each[len('\\\\DOUBLE\\O('):-len(')\\C')] for each in rows[1][1:]], names)
        self.assertTrue(out.endswith('"-1"\n') and not out.endswith('\r\n'))


unittest.main(argv=sys.argv[:1])
