#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Parse the JSON of -Status, and compare it with the diagnosis of test_diagnosis.c.

    test_diagnosis_json.py <command that runs test_diagnosis>...
"""
import json
import subprocess
import sys


def no_twice(pairs):
    """Make an object, and fail if a name occurs twice."""
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


output = subprocess.run(sys.argv[1:] + ['json'], check=True, stdout=subprocess.PIPE).stdout
full, empty = [json.loads(line, object_pairs_hook=no_twice) for line in output.splitlines()]

assert list(full) == ['service', 'prfdata', 'state', 'enabled', 'wrong', 'facts', 'languages', 'maps',
                      'processes', 'ended', 'events', 'findings'], list(full)
assert full['service'] == 'My Service' and full['state'] == 'installed'
assert full['enabled'] is True and full['wrong'] == 2
assert full['facts'] == {'dll': 'C:\\x.dll', 'first_counter': 1848,
                         'writers': '<\ud83d>\udc00'}, full['facts']
assert full['languages'] == [{'language': '009', 'titles': True},
                             {'language': '007', 'titles': False}]
assert full['maps'] == [
    {'version': 'present', 'hash': '0000000000000001', 'live': 2, 'ended': 0},
    {'version': 'unknown', 'hash': '0000000000000002', 'live': 0, 'ended': 1}]
assert full['processes'] == [{
    'process': 4321, 'said': False, 'program': 'C:\\My "Programs"\\p.exe', 'account': 'PC\\user',
    'file': 'f.region', 'map': 'earlier', 'hash': 'fedcba9876543210', 'objects': 2,
    'instances': 5000000000, 'dropped': 7, 'bytes': 9007199254740993, 'shown': True}]
assert full['ended'] == [
    {'account': 'PC\\user', 'this_boot': True, 'files': 2, 'bytes': 111},
    {'account': 'PC\\user', 'this_boot': False, 'files': 1, 'bytes': 10}]
assert full['events'] == [{'source': 'Perflib', 'event': 1023, 'time': '2024-02-29T23:59:59Z',
                           'count': 3, 'text': 'line 1\r\nline 2\t\x01'}]
assert [(each['id'], each['severity'], each['repair']) for each in full['findings']] == [
    ('disabled', 'wrong', True), ('linkage-foreign', 'note', False),
    ('process-damaged', 'wrong', False)]
assert full['findings'][0]['what'] == 'disabled (1: all readers)'
assert full['findings'][0]['command'] == 'lodctr /E:"My Service"'
assert full['findings'][1]['command'] == '' and full['findings'][1]['why']

assert empty['state'] == 'not-installed' and empty['enabled'] is False
assert empty['facts'] == {} and empty['findings'] == [] and empty['wrong'] == 0
print('parsed')
