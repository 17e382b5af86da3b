#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs prfinstall as a team's CI on Linux does: checks, configurations, conversions, and the commands
that only Windows has.

    test_prfinstall_posix.py <prfinstall> <repository>
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
MAP = SOURCE / 'bindings/queues.prfmap'


class PrfinstallPosix(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_it(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], check=False, cwd=self.path,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        (self.path / name).write_text(text, encoding='utf-8')
        return name

    def convert(self, header):
        self.write('a.ini', f'[info]\ndrivername=A\nsymbolfile={header}\n[text]\nO_009_NAME=O\n'
                   'C_009_NAME=C\n')
        return self.run_it('-Convert', 'a.ini')

    def test_convert_opens_only_a_plain_file_next_to_the_ini(self):
        self.write('plain.h', '#define O 0\n#define C 2\n')
        os.symlink('plain.h', self.path / 'link.h')
        os.mkfifo(self.path / 'pipe.h')
        self.assertEqual(self.convert('plain.h')[0], 0)
        for name in ('link.h', 'pipe.h'):
            code, out, err = self.convert(name)
            self.assertEqual((code, out), (1, ''))
            self.assertEqual(err, f'{name}: This is no plain file, so it is not opened.\n')

    def test_convert_reads_an_ini_with_a_long_path(self):
        folder = self.path
        for _ in range(6):
            folder = folder / ('x' * 200)
        folder.mkdir(parents=True)
        (folder / 'a.h').write_text('#define O 0\n#define C 2\n', encoding='utf-8')
        (folder / 'a.ini').write_text('[info]\ndrivername=A\nsymbolfile=a.h\n[text]\nO_009_NAME=O\n'
                                      'C_009_NAME=C\n', encoding='utf-8')
        code, out, err = self.run_it('-Convert', folder / 'a.ini')
        self.assertEqual(code, 0, err)
        self.assertIn('[counter C]', out)

    def test_convert_says_that_an_ini_is_no_text(self):
        (self.path / 'a.ini').write_bytes(b'[info]\ndrivername=A\nsymbolfile=a.h\n\0')
        code, _, err = self.run_it('-Convert', 'a.ini')
        self.assertEqual((code, err), (1, 'a.ini: The file is not a text file: it has a byte 0.\n'))

    def test_messages_show_what_cannot_be_seen(self):
        self.assertIn('sy\\u202Em.h: There is no such file.\n', self.convert('sy\u202em.h')[2])
        for arguments in (('-Check', '-Map', 'a\u200b.prfmap'), ('-Convert', 'a\u200b.ini'),
                          ('-Emit', 'a\u200b', '-Map', MAP), ('-Check', '-Map', MAP, '-a\u200b\r'),
                          ('-Emit', 'Zabbix', '-Map', MAP, '-o', 'no/a\u200b')):
            code, out, err = self.run_it(*arguments)
            self.assertNotEqual(code, 0, arguments)
            self.assertIn('a\\u200B', err)
            self.assertNotRegex(out + err, '[\u200b\r]')

    def test_check_says_that_a_map_is_right(self):
        code, out, err = self.run_it('-Check', '-Map', MAP)
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'^PrfDataQueues: Map: valid \(objects: \d+, counters: \d+\)\n$')

    def test_check_names_file_and_line_of_a_mistake(self):
        name = self.write('wr\u00f6ng.prfmap', '[info]\ndrivername=A\n[object class]\nid=one\n')
        code, out, err = self.run_it('--check', '-map', name)
        self.assertEqual((code, out), (1, ''))
        self.assertIn('wr\u00f6ng.prfmap:4: id="one" is invalid; it must be a number', err)

    def test_check_refuses_keywords_as_symbols(self):
        text = MAP.read_text(encoding='utf-8').replace('QUEUES_JOBS]', 'class]')
        code, _, err = self.run_it('-Check', '-Map', self.write('a.prfmap', text))
        self.assertEqual(code, 1)
        self.assertIn('the symbol is a keyword of C or C++, so no program can use it', err)

    def test_check_prints_notes_and_ends_with_0(self):
        text = ('[info]\ndrivername=A\n[object O]\nid=1\nname=O\nhelp=O.\ndistribution=2 number 1 100\n'
                '[counter P]\nid=3\nname=P\nhelp=P.\ntype=COUNTER_RAWCOUNT\npercentile=2 99\n')
        code, out, _ = self.run_it('-Check', '-Map', self.write('a.prfmap', text))
        self.assertEqual(code, 0)
        self.assertIn('A: Map: PRFDATA_MAP_PERCENTILE after P (3): the share is of 10,000', out)

    def test_check_compares_the_providers(self):
        self.assertEqual(self.run_it('-Check', '-Map', MAP, '-Providers', 'x,prfdataqueues')[0], 0)
        code, _, err = self.run_it('-Check', '-Map', MAP, '-Providers', 'Other')
        self.assertEqual(code, 1)
        self.assertIn('no provider is built for the service of this map', err)

    def test_check_chooses_services(self):
        self.assertEqual(self.run_it('-Check', '-Map', MAP, 'prfdataQUEUES')[0], 0)
        self.assertEqual(self.run_it('-Check', '-Map', MAP, 'prfdataQUEUES', 'PrfDataQueues')[0], 0)
        code, _, err = self.run_it('-Check', '-Map', MAP, 'Nobody')
        self.assertEqual(code, 2)
        self.assertIn('The map files have no service Nobody', err)

    def test_emit_writes_every_kind(self):
        for kind in self.run_it('-?')[1].split('Kinds of -Emit:\n')[1].split('\n\n')[0].splitlines():
            kind = kind.split(':')[0].strip()
            code, out, _ = self.run_it('-Emit', kind.lower(), '-Map', MAP)
            self.assertEqual(code, 0, kind)
            self.assertIn(f'Written by prfinstall -Emit {kind}.', out)

    def test_emit_map_file_can_be_read_back(self):
        self.assertEqual(self.run_it('-Emit', 'MapFile', '-Map', MAP, '-o', 'back.prfmap')[0], 0)
        first = self.run_it('-Emit', 'C', '-Map', MAP)[1]
        self.assertEqual(self.run_it('-Emit', 'C', '-Map', 'back.prfmap')[1], first)

    def test_emit_replaces_only_its_own_files(self):
        self.write('rules.yml', 'mine\n')
        code, _, err = self.run_it('-Emit', 'Prometheus', '-Map', MAP, '-o', 'rules.yml')
        self.assertEqual(code, 1)
        self.assertIn('rules.yml is there, and this command did not write it', err)
        self.assertEqual(self.run_it('-Emit', 'Prometheus', '-Map', MAP, '-o', 'rules.yml', '-y')[0], 0)
        self.assertEqual(self.run_it('-Emit', 'Prometheus', '-Map', MAP, '-o', 'rules.yml')[0], 0)
        self.assertEqual(self.run_it('-Emit', 'Grafana', '-Map', MAP, '-o', 'rules.yml')[0], 1)

    def test_emit_says_what_it_leaves_out(self):
        text = MAP.read_text(encoding='utf-8').replace('name=Jobs/sec', 'name={HOST.NAME}')
        _, _, err = self.run_it('-Emit', 'Zabbix', '-Map', self.write('a.prfmap', text))
        self.assertIn('Left out, because Zabbix replaces the macro', err)

    def test_emit_of_two_maps_as_one_is_refused(self):
        other = self.write('o.prfmap', MAP.read_text(encoding='utf-8').replace('PrfDataQueues', 'Other'))
        for kind in ('C', 'Cpp', 'MapFile'):
            code, out, err = self.run_it('-Emit', kind, '-Map', MAP, '-Map', other)
            self.assertEqual((code, out), (2, ''))
            self.assertIn('name its service', err)
            self.assertEqual(self.run_it('-Emit', kind, '-Map', MAP, '-Map', other, 'Other')[0], 0)

    def test_convert_makes_a_map_file(self):
        code, _, err = self.run_it('-Convert', SOURCE / 'ini/HWInputMon.ini', '-o', 'made.prfmap')
        self.assertEqual(code, 0, err)
        self.assertIn('[info]', (self.path / 'made.prfmap').read_text(encoding='utf-8'))

    def test_commands_of_windows_are_named(self):
        for option in ('-Install', '-Uninstall', '-Status', '-Repair', '-Reset', '-Ini', '-Writers'):
            code, out, err = self.run_it(option, '-Map', MAP)
            self.assertEqual((code, out), (2, ''))
            self.assertIn('Only prfinstall.exe, on Windows, registers and examines counters; here there '
                          f'are -Check, -Emit and -Convert, but not {option}\n', err)

    def test_mistakes_in_the_command_line_are_explained(self):
        for arguments, expected in (((), 'A command is missing'), (('-Check',), 'A map is missing'),
                                    (('-Check', '-Map'), 'A value is missing after -Map'),
                                    (('-Chek',), 'Unknown option: -Chek'),
                                    (('-Emit', 'Nagios'), 'not Nagios'),
                                    (('-Check', '-Emit', 'C'), 'Give one command at a time'),
                                    (('-Check', '-Map', 'a', '-o', 'b'), '-o needs -Emit or -Convert'),
                                    (('-Emit', 'C', '-Map', 'a', '-y'), '-y needs -o')):
            code, _, err = self.run_it(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(expected, err)
            self.assertIn('prfinstall -? explains', err)

    def test_a_file_that_is_not_there_is_named(self):
        code, _, err = self.run_it('-Check', '-Map', 'none.prfmap')
        self.assertEqual(code, 1)
        self.assertIn('none.prfmap', err)

    def test_output_that_cannot_be_written_is_reported(self):
        if not os.path.exists('/dev/full'):
            self.skipTest('no /dev/full')
        with open('/dev/full', 'w', encoding='utf-8') as full:
            done = subprocess.run([PROGRAM, '-Emit', 'C', '-Map', str(MAP)], check=False, stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('Cannot write standard output', done.stderr)

    def test_version_is_that_of_the_headers(self):
        header = (SOURCE / 'shared/include/prfdata/version.h').read_text(encoding='utf-8')
        numbers = [line.split()[2] for line in header.splitlines()
                   if line.startswith(('#define PRFDATA_VERSION_MAJOR ', '#define PRFDATA_VERSION_MINOR ',
                                       '#define PRFDATA_VERSION_PATCH '))]
        self.assertEqual(self.run_it('-Version')[1], f'PrfData {".".join(numbers)}\n')


unittest.main(argv=sys.argv[:1])
