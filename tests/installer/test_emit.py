#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Parse what -Emit writes, and compare it with the maps of test_emit.c.

    test_emit.py <command that runs test_emit>...

Parsers that others wrote read YAML, TOML, JSON and Markdown. Rules that are only in the documents
of the tools are checked here. Exit code 77: a parser is missing.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import tomllib
    import yaml
except ImportError as missing:
    print(f'{missing}: install python3-yaml, and Python 3.11')
    sys.exit(77)
for tool in ('cmark-gfm', 'promtool'):
    if not shutil.which(tool):
        print(f'no {tool} here')
        sys.exit(77)

OBJECT = 'Ob"ject" {{ .x }} $PATH [x] {$M}: 日本 | <b> & \'q\' - `t` ~ ^ % @'
COUNTER = 'Größe "a" \'b\' {{ c }} ${PATH} $HOME [d], <e> &f; |g| `h` %i: {$J} !k ~l x/sec'
HELP = ('C:\\new\\u0041 \\" "two" \'\'three\'\' {{ $labels.x }} ${env:PATH} $$ | # * _u_ **b** '
        '<i>&amp; `code` [l](u) !{} @ : - %s %n \u2028 \ufeff Δ # end')
# The counters of the map that are not bases, in the map's order.
PLAIN = ['Level', 'Wait', 'Load', 'Memory/sec', 'Started']
QUEUES = [COUNTER, '% Busy', '% Busy by clock', '% Busy of all', 'Avg. Length', '% Used',
          '% Used, large', '% Hits', 'sec/Job', 'Bytes/Job', 'Change', 'Samples/sec',
          'Elapsed Time', 'Ended', 'Stay p50', 'Stay maximum', 'Others/sec', 'Avg. us/Stay',
          'Stay us/sec', 'Stays/sec']
# -Emit does not ask for `_Total` of Elapsed Time, because a query of the monitoring system computes
# the earliest start of all instances.
OVERALL = [name for name in QUEUES if name != 'Elapsed Time']
TIMES = ['Time p50', 'Size p99', 'Time p99.9', 'Time maximum']
# The requests of tools that read through PDH: object, instances, counters.
ASKED = [('Emit Plain', None, PLAIN), (OBJECT, '*', QUEUES), (OBJECT, '_Total', OVERALL),
         ('Emit Children', '*', ['Taken/sec']), ('Emit Times', None, TIMES)]
PREFIX = 'emit_test_1_0_emit_'


class UniqueKeys(yaml.SafeLoader):
    """A YAML loader that fails if a mapping has a key twice, which the parser itself accepts."""


def construct_unique(loader, node, deep=False):
    keys = [loader.construct_object(key, deep=deep) for key, _ in node.value]
    assert len(keys) == len(set(keys)), keys
    return yaml.SafeLoader.construct_mapping(loader, node, deep)


UniqueKeys.add_constructor('tag:yaml.org,2002:map',
                           lambda loader, node: construct_unique(loader, node, True))


def emitted(kind, maps):
    run = subprocess.run(sys.argv[1:] + [kind, maps], check=True, stdout=subprocess.PIPE)
    return run.stdout.decode('utf-8')


def same(found, expected):
    assert found == expected, f'{found!r} instead of {expected!r}'


def no_twice(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


def read_json(text):
    return json.loads(text, object_pairs_hook=no_twice)


# ---- Tools that read through PDH ----

def collector_text(text):
    """Return what the Collector reads: $$ is $, and anything else after $ is a variable."""
    assert '$' not in text.replace('$$', ''), text
    return text.replace('$$', '$')


def test_opentelemetry():
    text = emitted('OpenTelemetry', 'hostile')
    receivers = yaml.load(text, UniqueKeys)['receivers']
    same(list(receivers), ['windowsperfcounters/emit_test_1_0'])
    receiver = receivers['windowsperfcounters/emit_test_1_0']
    same(set(receiver), {'collection_interval', 'metrics', 'perfcounters'})
    # The Collector adds counters only when it starts. It does not start if the configuration has a
    # key that its release does not know.
    assert re.search('^# .* restart the Collector after -Install', text, re.M)
    same({key for each in receiver['perfcounters'] for counter in each['counters'] for key in counter},
         {'name', 'metric'})
    asked = [(collector_text(each['object']), each.get('instances', [None])[0],
              [collector_text(counter['name']) for counter in each['counters']])
             for each in receiver['perfcounters']]
    same(asked, ASKED)
    used = [counter['metric'] for each in receiver['perfcounters'] for counter in each['counters']]
    same(len(used), len(set(used)))
    same(set(used), set(receiver['metrics']))
    for metric in receiver['metrics'].values():
        assert ('sum' in metric) != ('gauge' in metric), metric
        same(metric.get('gauge', {}), {})
        same(metric.get('sum', {'aggregation': 'cumulative', 'monotonic': True}),
             {'aggregation': 'cumulative', 'monotonic': True})
    metrics = receiver['metrics']
    same(metrics['emit_wait_seconds.milliseconds']['unit'], 'ms')
    same(metrics[PREFIX + 'hostile.per_second'],
         {'description': HELP.replace('$', '$$'), 'unit': '1/s', 'gauge': {}})
    assert 'sum' in metrics[PREFIX + 'started']
    assert 'sum' in metrics[PREFIX + 'ended'] and 'sum' in metrics[PREFIX + 'ended_overall']
    same(len(yaml.load(emitted('OpenTelemetry', 'samples'), UniqueKeys)['receivers']), 2)


def test_telegraf():
    text = emitted('Telegraf', 'hostile')
    assert '$' not in text.replace('$$', ''), 'Telegraf would look for a variable'
    inputs = tomllib.loads(text)['inputs']
    same(list(inputs), ['win_perf_counters'])
    (plugin,) = inputs['win_perf_counters']
    same(set(plugin), {'object', 'CountersRefreshInterval', 'IgnoredErrors'})
    same(plugin['CountersRefreshInterval'], '0s')
    same({each['WarnOnMissing'] for each in plugin['object']}, {True})
    # Telegraf 1.38 replaces variables, and $$ by $, after it has parsed the TOML.
    asked = [(each['ObjectName'].replace('$$', '$'), {'------': None}.get(*each['Instances'] * 2),
              [name.replace('$$', '$') for name in each['Counters']]) for each in plugin['object']]
    same(asked, ASKED)
    same([each['Measurement'] for each in plugin['object']],
         [PREFIX + 'plain', PREFIX + 'queues', PREFIX + 'queues_overall', PREFIX + 'children',
          PREFIX + 'times'])
    same(len(tomllib.loads(emitted('Telegraf', 'samples'))['inputs']['win_perf_counters'][0]
             ['object']), 8)  # one object has two entries, because of `_Total`


def exporter_identifier(name):
    """Return the field that windows_exporter makes from a counter's name (performancecounter.go, 0.31)."""
    for word, other in (('%', 'percent'), ('(', ''), (')', '')):
        name = name.replace(word, other)
    return re.sub('[^a-z0-9]', '_', name.lower()).strip('_').upper()


def test_windows_exporter():
    text = emitted('WindowsExporter', 'hostile')
    config = yaml.load(text, UniqueKeys)
    assert 'performancecounter' in config['collectors']['enabled'].split(',')
    objects = config['collector']['performancecounter']['objects']
    left_out = {name for _, _, counters in ASKED for name in counters
                if '"' in name or '\\' in name} | {'Elapsed Time'}
    asked = []
    for parse in (read_json, yaml.safe_load):  # windows_exporter parses JSON or YAML
        asked = parse(objects)
        same([(each['object'], each.get('instances', [None])[0],
               [counter['name'] for counter in each['counters']
                if not counter['name'].endswith(',secondvalue')]) for each in asked],
             [(name, instance, [each for each in counters if each not in left_out])
              for name, instance, counters in ASKED])
    for name in left_out:
        assert re.search(f'^# Left out, .*: {re.escape(json.dumps(name, ensure_ascii=False))}$', text, re.M), name
    for each in asked:
        fields = [exporter_identifier(counter['name']) for counter in each['counters']]
        same(len(fields), len(set(fields)))
        for field in fields:
            assert re.fullmatch('[A-Z][A-Z0-9_]*', field), field
    same([each['name'] for each in asked],
         [PREFIX + 'plain', PREFIX + 'queues', PREFIX + 'queues_overall', PREFIX + 'children',
          PREFIX + 'times'])
    same({each.get('instance_label') for each in asked if 'instances' in each}, {'name'})
    named = {counter['metric']: counter['type'] for each in asked for counter in each['counters']}
    same(len(named), sum(len(each['counters']) for each in asked))
    for name, kind in named.items():
        assert re.fullmatch('[a-z][a-z0-9_]*', name), name
        assert name.endswith('_total') <= (kind == 'counter'), name
    same(named[PREFIX + 'busy_seconds_total'], 'counter')
    same(named[PREFIX + 'busy_perf_ticks_total'], 'counter')
    same(named[PREFIX + 'fraction_numerator'], 'gauge')
    same(named[PREFIX + 'fraction_denominator'], 'gauge')
    same(named[PREFIX + 'large_fraction_denominator'], 'gauge')
    same(named['emit_job_size_bytes_sum'], 'counter')
    same(named['emit_job_size_bytes_count'], 'counter')
    same(named[PREFIX + 'job_time_ticks_sum'], 'counter')
    same(named[PREFIX + 'job_time_ticks_count'], 'counter')
    same(named['emit_wait_milliseconds'], 'gauge')
    same(named['emit_memory_kibibytes_total'], 'counter')
    read_json(yaml.load(emitted('WindowsExporter', 'samples'), UniqueKeys)
              ['collector']['performancecounter']['objects'])


def test_windows_exporter_names():
    """If windows_exporter cannot make a field from a name, it does not start."""
    text = emitted('WindowsExporter', 'identifiers')
    (each,) = read_json(yaml.load(text, UniqueKeys)['collector']['performancecounter']['objects'])
    same([counter['name'] for counter in each['counters']],
         ['Jobs/sec', '% Jobs', 'Jobs', 'Jobs done', '% Hits', '% Hits,secondvalue', 'Uptime'])
    for name, reason in (('Jobs-sec', 'earlier counter'), ('Jobs_sec', 'earlier counter'),
                         ('95th Size', 'begin with a letter'), ('5 % slowest', 'begin with a letter'),
                         ('Hits,secondvalue', 'second value')):
        assert re.search(f'^# Left out, .*{reason}.*: {re.escape(json.dumps(name))}', text, re.M), name
    same(each['counters'][-1], {'name': 'Uptime', 'type': 'gauge', 'metric': 'named_uptime_age_seconds'})


def alloy_text(text):
    """Return the only attribute that is a text. The text cannot contain ` and has no escapes."""
    lines = [line for line in text.splitlines() if not line.startswith('//')]
    same(lines[:5], ['prometheus.exporter.windows "prfdata" {', '  enabled_collectors = ["performancecounter"]', '',
                     '  performancecounter {', '    objects = `'])
    same(lines[-3:], ['    `', '  }', '}'])
    objects = '\n'.join(lines[5:-3])
    assert '`' not in objects and '\r' not in text, objects
    return objects


def test_alloy():
    """Alloy reads the same objects as windows_exporter, because it contains the same code."""
    for maps in ('hostile', 'identifiers', 'samples', 'longest'):
        text = emitted('Alloy', maps)
        exporter = emitted('WindowsExporter', maps)
        objects = yaml.load(exporter, UniqueKeys)['collector']['performancecounter']['objects']
        for parse in (read_json, lambda text: yaml.load(text, UniqueKeys)):
            same(parse(alloy_text(text)), read_json(objects))
        same(re.findall('^// (Left out.*)', text, re.M), re.findall('^# (Left out.*)', exporter, re.M))
        assert re.search('restart Alloy after -Install', text)
    names = [counter['name'] for each in read_json(alloy_text(emitted('Alloy', 'longest')))
             for counter in each['counters']]
    assert any('`' in name for name in names), names


# ---- Zabbix ----

# {a part of a template: (members that it may have, members that it must have)}, by "Template export
# and import" of Zabbix' manual.
ZABBIX = {
    'template': ({'uuid', 'template', 'name', 'groups', 'items', 'discovery_rules'},
                 {'uuid', 'template', 'name', 'groups'}),
    'item': ({'uuid', 'name', 'type', 'params', 'key', 'delay', 'history', 'trends', 'value_type', 'units',
              'description', 'preprocessing', 'master_item', 'tags'}, {'uuid', 'name', 'key'}),
    'rule': ({'uuid', 'name', 'key', 'delay', 'filter', 'item_prototypes'},
             {'uuid', 'name', 'key', 'item_prototypes'}),
}


def check_zabbix_keys(kind, node):
    may, must = ZABBIX[kind]
    assert must <= set(node) <= may, (kind, set(node))
    assert all(each for each in node.values()), node


def parameters_of(key):
    """Split an item's key into name and parameters like Zabbix ("Item key format")."""
    name, rest = key.split('[', 1)
    found = []
    while rest != '':
        if rest[0] == '"':
            end = next(i for i in range(1, len(rest))
                       if rest[i] == '"' and rest[i - 1] != '\\')
            found.append(rest[1:end].replace('\\"', '"'))
            rest = rest[end + 1:]
        else:
            end = re.search('[],]', rest).start()
            found.append(rest[:end])
            rest = rest[end:]
        assert rest[0] in ',]', rest
        if rest[0] == ']':
            same(rest, ']')
            rest = ''
        else:
            rest = rest[1:]
    return name, found


def check_zabbix_item(item):
    check_zabbix_keys('item', item)
    same(item['value_type'], 'FLOAT')
    name, found = parameters_of(item['key'])
    assert name in {'CALCULATED': ['prfdata.mean'],
                    'DEPENDENT': RAW_KEYS}.get(item.get('type'), ['perf_counter_en']), item
    assert len(item['key']) <= 2048 and len(item['name']) <= 255
    return found[0]


RAW_KEYS = ['prfdata.raw', 'prfdata.base', 'prfdata.frequency']
# Each of these values is a sum divided by a count. The map shows neither the sum nor the count, so
# Zabbix calculates the value from raw values. Each row has the number of raw values, and the WMI
# property of the first raw value.
FROM_RAW = {'% Hits': (2, 'PercentHits'), 'sec/Job': (3, 'secPerJob'), 'Bytes/Job': (2, 'BytesPerJob')}


def with_raw(path, counters):
    """Return the path of each item of an object. A counter's path comes once for its value, and once
    for each of its raw values."""
    return [path + name for name in counters for _ in range(1 + FROM_RAW.get(name, (0,))[0])]


def without_masters(items):
    """Check the items that have the raw values of an object. Return the other items, which have one
    value each.
    """
    for item in items:
        if item['key'].startswith('wmi.getall['):
            check_zabbix_keys('item', item)
            same((item['value_type'], item['history'], item['trends'], item['delay']), ('TEXT', '0', '0', '0;s0'))
    return [item for item in items if not item['key'].startswith('wmi.getall[')]


def test_zabbix():
    text = emitted('Zabbix', 'hostile')
    same(re.findall('# Left out, .*: "(.*)"', text), [])
    exported = yaml.load(text, UniqueKeys)['zabbix_export']
    same(set(exported), {'version', 'groups', 'templates'})
    same(exported['version'], '6.0')
    (template,) = exported['templates']
    check_zabbix_keys('template', template)
    check_zabbix_room(template)
    same(template['groups'][0]['name'], exported['groups'][0]['name'])
    masters = [item['key'] for item in template['items'] if item['key'].startswith('wmi.getall[')]
    same(masters, ['wmi.getall[root\\cimv2,"select * from Win32_PerfRawData_EmitTest10_ObjectxPATHxMbqtPercent"]'])
    template['items'] = without_masters(template['items'])
    paths = [check_zabbix_item(item) for item in template['items']]
    same(paths, [f'\\Emit Plain\\{name}' for name in PLAIN] + with_raw(f'\\{OBJECT}(_Total)\\', OVERALL) +
         [f'\\Emit Times\\{name}' for name in TIMES])
    for item in template['items'] + template['discovery_rules'][0]['item_prototypes']:
        if item.get('type') == 'DEPENDENT':
            same((item['master_item'], item['delay']), ({'key': masters[0]}, '0'))
    rules = template['discovery_rules']
    for rule, name, counters in zip(rules, (OBJECT, 'Emit Children'), (QUEUES, ['Taken/sec']),
                                    strict=True):
        check_zabbix_keys('rule', rule)
        same(parameters_of(rule['key']), ('perf_instance_en.discovery', [name]))
        same([check_zabbix_item(item) for item in rule['item_prototypes']],
             with_raw(f'\\{name}({{#INSTANCE}})\\', counters))
        (condition,) = rule['filter']['conditions']
        same((condition['macro'], condition['operator']), ('{#INSTANCE}', 'NOT_MATCHES_REGEX'))
        assert re.search(condition['value'], '_Total') and not re.search(condition['value'], 'a')
    items = template['items'] + [item for rule in rules for item in rule['item_prototypes']]
    uuids = [each['uuid'] for each in items + rules + [template, exported['groups'][0]]]
    same(len(uuids), len(set(uuids)))
    for uuid in uuids:
        assert re.fullmatch('[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}', uuid), uuid
    by_name = {item['name'].rsplit(': ', 1)[1]: item for item in template['items'][:len(PLAIN)]}
    same(by_name['Wait']['units'], 's')
    same(by_name['Wait']['preprocessing'], [{'type': 'MULTIPLIER', 'parameters': ['0.001']}])
    same(by_name['Load']['units'], '%')
    same((by_name['Memory/sec']['units'], by_name['Memory/sec']['preprocessing'][0]['parameters']),
         ('Bps', ['1024']))
    same(parameters_of(by_name['Memory/sec']['key'])[1][1:], ['60'])
    same(parameters_of(by_name['Level']['key'])[1][1:], [])
    assert 'preprocessing' not in by_name['Load'] and 'preprocessing' not in by_name['Level']
    described = [item for item in items if item.get('description') == HELP]
    same(len(described), 2)
    same(len(yaml.load(emitted('Zabbix', 'samples'), UniqueKeys)['zabbix_export']['templates']), 2)


# {field of a template: the most characters that create/src/schema.tmpl of Zabbix allows}. `value`
# is an instance's name.
ZABBIX_ROOM = {'name': 255, 'key': 2048, 'units': 255, 'description': 65535, 'params': 65535, 'value': 255,
               'template': 128}
LONG = 'A title of sixty characters, which other programs cut there.' * 2 + 'seven!'


def check_zabbix_room(node):
    for name, value in node.items() if isinstance(node, dict) else []:
        assert not isinstance(value, str) or len(value) <= ZABBIX_ROOM.get(name, 255), (name, value)
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        check_zabbix_room(each)


def test_zabbix_names_fit():
    """If a name is too long, Zabbix refuses the whole template, or the items of an instance."""
    text = emitted('Zabbix', 'longest')
    (template,) = yaml.load(text, UniqueKeys)['zabbix_export']['templates']
    check_zabbix_room(template)
    same([rule['name'] for rule in template['discovery_rules']], [LONG + 'Q', LONG + 'J'])
    for rule, chars in zip(template['discovery_rules'], (100, 186), strict=True):
        names = [item['name'] for item in rule['item_prototypes']]
        same(len(names), len(set(names)))
        same([len(name.replace('{#INSTANCE}', 'i' * chars)) <= 255 for name in names], [True] * 3)
    queues, jobs = ([item['name'] for item in rule['item_prototypes']] for rule in template['discovery_rules'])
    # A name that fits into 255 characters is unchanged. In a longer one, each part that is too long
    # is cut and gets a hash of the whole part.
    same(queues[2], LONG + 'Q ({#INSTANCE}): Short')
    for name in queues[:2]:
        assert re.fullmatch(re.escape(LONG[:66]) + r'~[0-9a-f]{8} \(\{#INSTANCE\}\): '
                            + re.escape(LONG[:66]) + '~[0-9a-f]{8}', name), name
    same(queues[0].split(': ')[0], queues[1].split(': ')[0])
    assert re.fullmatch(re.escape(LONG[:23]) + r'~[0-9a-f]{8} \(\{#INSTANCE\}\): \u65e5\u672c\u8a9e \u00d6 '
                        + re.escape(LONG[:17]) + '~[0-9a-f]{8}', jobs[2]), jobs[2]
    paths = [parameters_of(item['key'])[1][0].rsplit('\\', 1)[1] for item in template['items']]
    same(paths, [LONG + 'a', LONG + 'b', LONG + 'a', 'Jobs {$OWN}', 'Jobs of `this`'])
    same(re.findall('^# Left out, because .* macro .*: "(.*)"$', text, re.M),
         ['Jobs {HOST.NAME}', 'Jobs {IPADDRESS}', 'Old {HOSTNAME}', 'Jobs'])
    same(re.findall('^# Read only while .*: "(.*)"$', text, re.M), ['Jobs {$OWN}'])


class Agent:
    """Zabbix' agent, by its source (perfstat.c). Each second it computes a value from the raw values
    of this second and the one before, as PDH does. Its answer is the mean of the last values."""

    def __init__(self, seconds):
        self.seconds = seconds  # for each second the operations, as durations in microseconds

    def value(self, counter, second):
        durations = self.seconds[second]
        raw = {'Stay us/sec': sum(durations), 'Others/sec': 0, 'Stays/sec': len(durations), COUNTER: len(durations),
               'Change': len(durations), 'Samples/sec': len(durations),
               '% Busy': sum(durations) / 1e6 * 100, '% Busy by clock': sum(durations) / 1e6 * 100,
               '% Busy of all': sum(durations) / 1e6 * 100, 'Avg. Length': sum(durations) / 1e6}
        if counter == 'Avg. us/Stay':
            return sum(durations) / len(durations) if durations else 0
        return raw[counter]

    def get(self, key, now):
        """Return the value of an item's key at the end of a second."""
        name, found = parameters_of(key)
        same(name, 'perf_counter_en')
        interval = int(found[1]) if len(found) > 1 else 1
        values = [self.value(found[0].rsplit('\\', 1)[1], second)
                  for second in range(max(0, now - interval), now)]
        return sum(values) / len(values)


def json_path(path, rows):
    """Return Zabbix' answer to a path of one of the two forms that the template has."""
    found = re.fullmatch(r"\$(?:\[\?\(@\.Name == \"(.*)\"\)\]|\[0\])\.(\w+)(\.first\(\))?", path)
    name, field, first = found.groups()
    same(first is None, name is None)
    return next(row for row in rows if name is None or row['Name'] == name)[field]


def raw_rows(operations, ticks, hits):
    """Return the raw values of an instance after some operations, and of an instance that no item
    asks for.
    """
    row = {'Name': '{#INSTANCE}', 'PercentHits': hits, 'PercentHits_Base': operations, 'secPerJob': ticks,
           'secPerJob_Base': operations, 'BytesPerJob': 512 * operations, 'BytesPerJob_Base': operations,
           'Frequency_PerfTime': 10000000}
    return [{**row, 'Name': 'other', 'PercentHits': 0}, row]


def test_zabbix_calculates_means_and_ratios_of_raw_values():
    """Evaluate each formula as Zabbix does, from two answers of WMI."""
    (template,) = yaml.load(emitted('Zabbix', 'hostile'), UniqueKeys)['zabbix_export']['templates']
    prototypes = template['discovery_rules'][0]['item_prototypes']
    raw = {item['key']: item['preprocessing'][0]['parameters'][0] for item in prototypes
           if item.get('type') == 'DEPENDENT'}
    same(len(raw), sum(count for count, _ in FROM_RAW.values()))
    items = {item['name'].rsplit(': ', 1)[1]: item for item in prototypes}
    for before, now, truth in (
            (raw_rows(10, 0, 5), raw_rows(14, 8000000, 6), {'% Hits': 25, 'sec/Job': 0.2, 'Bytes/Job': 512}),
            (raw_rows(7, 30, 1), raw_rows(7, 30, 1), dict.fromkeys(FROM_RAW)),  # no operations
            (raw_rows(7, 30, 2), raw_rows(2, 40, 4), {'% Hits': None, 'sec/Job': None, 'Bytes/Job': 512})):
        for name, expected in truth.items():
            item, formula = items[name], items[name]['params']
            for key, path in sorted(raw.items(), key=lambda each: -len(each[0])):
                formula = formula.replace(f'last(//{key},#2)', repr(json_path(path, before)))
                formula = formula.replace(f'last(//{key})', repr(json_path(path, now)))
            assert re.fullmatch(r'[0-9()+*/-]+', formula), formula
            steps = {step['type']: step for step in item['preprocessing']}
            same([steps[name]['error_handler'] for name in ('CHECK_NOT_SUPPORTED', 'IN_RANGE')],
                 ['DISCARD_VALUE'] * 2)
            try:
                value = eval(formula)  # pylint: disable=eval-used
            except ZeroDivisionError:
                value = None
            if value is not None and value < float(steps['IN_RANGE']['parameters'][0]):
                value = None
            assert value == expected or abs(value - expected) < 1e-9, (name, value, expected)
    same([items[name].get('units') for name in FROM_RAW], ['%', 's', 'B'])
    same([items[name]['delay'] for name in FROM_RAW], ['0;s10'] * 3)


def evaluate(item, agent, now, items):
    """Return the value that Zabbix stores for an item, or None. Calculated items use stored values."""
    steps = {step['type']: step for step in item.get('preprocessing', [])}
    if item.get('type') == 'CALCULATED':
        keys = re.fullmatch(r'last\(//(.*)\)/last\(//(.*)\)', item['params']).groups()
        values = [evaluate(other, agent, now, items) for key in keys for other in items if other['key'] == key]
        if values[1] == 0:  # the item becomes unsupported, which must be reported
            same(steps['CHECK_NOT_SUPPORTED']['error_handler'], 'DISCARD_VALUE')
            return None
        value = values[0] / values[1]
    else:
        value = agent.get(item['key'], now)
    return value * float(steps.get('MULTIPLIER', {'parameters': ['1']})['parameters'][0])


# Five minutes. Each second has a list of its operations' durations in microseconds. In turn: one
# operation in the whole minute, bursts, a steady stream, one slow operation among many fast ones,
# and no operation.
MINUTES = [
    [[1000000] if second == 7 else [] for second in range(60)],
    [[10000] * 50 if second % 20 == 0 else [] for second in range(60)],
    [[2000, 4000] for _ in range(60)],
    [[100] * 99 + ([900000] if second == 30 else []) for second in range(60)],
    [[] for _ in range(60)],
]


def test_zabbix_shows_what_happened():
    """Compare each item that has an interval with the operations of each minute."""
    (template,) = yaml.load(emitted('Zabbix', 'hostile'), UniqueKeys)['zabbix_export']['templates']
    prototypes = template['discovery_rules'][0]['item_prototypes']
    items = {item['name'].rsplit(': ', 1)[1]: item for item in prototypes
             if parameters_of(item['key'])[1][1:] == ['60'] or item.get('type') == 'CALCULATED'}
    items = {name: item for name, item in items.items() if name in QUEUES and name not in FROM_RAW}
    items[COUNTER] = prototypes[0]
    agent = Agent([second for minute in MINUTES for second in minute])
    for number, minute in enumerate(MINUTES):
        durations = [duration for second in minute for duration in second]
        rate = len(durations) / 60
        busy = sum(durations) / 1e6 / 60
        truth = {'Stay us/sec': busy * 1e3, 'Others/sec': 0, 'Stays/sec': rate, COUNTER: rate, 'Change': rate,
                 'Samples/sec': rate, '% Busy': busy * 100, '% Busy by clock': busy * 100,
                 '% Busy of all': busy * 100, 'Avg. Length': busy,
                 'Avg. us/Stay': sum(durations) / len(durations) / 1e6 if durations else None}
        same(set(items) - {'% Used', '% Used, large'}, set(truth))
        for name, expected in truth.items():
            found = evaluate(items[name], agent, 60 * number + 60, prototypes)
            assert found == expected or abs(found - expected) < 1e-9 * max(1, expected), \
                f'{name} in minute {number}: {found} instead of {expected}'
    # The sum and the count are read in the same second, so that the mean, which is calculated ten
    # seconds later, fits both.
    same([items[name]['delay'] for name in ('Stay us/sec', 'Stays/sec', 'Avg. us/Stay')],
         ['0;s0', '0;s0', '0;s10'])
    same({name: items[name]['units'] for name in ('Change', 'Stays/sec', 'Avg. us/Stay')},
         {'Change': '/s', 'Stays/sec': '/s', 'Avg. us/Stay': 's'})


# ---- Prometheus and Grafana ----

def check_rules(text):
    """Expect that promtool accepts the rules."""
    with tempfile.NamedTemporaryFile('w', suffix='.yml', encoding='utf-8') as file:
        file.write(text)
        file.flush()
        run = subprocess.run(['promtool', 'check', 'rules', file.name], check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = run.stdout.decode()
    assert run.returncode == 0 and re.search(r'SUCCESS: \d+ rules found\s*$', said), said


# An alert about a missing object begins with the computer, if there is one.
WHERE = ('{{ with $labels.instance }}{{ . }} does not show{{ else }}No computer shows'
         '{{ end }}')


def test_prometheus():
    check_rules(emitted('Prometheus', 'samples'))
    check_rules(emitted('Prometheus', 'hostile'))
    groups = yaml.load(emitted('Prometheus', 'hostile'), UniqueKeys)['groups']
    same([group['name'] for group in groups], ['Emit Test-1.0', 'PrfData alerts Emit Test-1.0'])
    recorded = {rule['record']: rule['expr'] for rule in groups[0]['rules']}
    same(len(recorded), len(groups[0]['rules']))
    same(recorded[f'instance:{PREFIX}hostile:rate5m'], f'rate({PREFIX}hostile_total[5m])')
    same(recorded[f'instance:{PREFIX}job_time_overall_seconds:mean5m'],
         f'rate({PREFIX}job_time_overall_seconds_sum[5m]) / '
         f'rate({PREFIX}job_time_overall_seconds_count[5m])')
    assert f'instance:{PREFIX}level:rate5m' not in recorded
    alerts = groups[1]['rules']
    same([rule['expr'] for rule in alerts[:4]],
         ['{up} == 0 or absent({up})'.replace(
             '{up}', 'prfread_object_up{object=' + json.dumps(name, ensure_ascii=False) + '}')
          for name in ('Emit Plain', OBJECT, 'Emit Children', 'Emit Times')])
    for alert in alerts[:4]:
        for text in (*alert['annotations'].values(), alert['labels']['object']):
            rest = text.replace('{{ "{{" }}', '').replace(WHERE, '')
            assert '{{' not in rest, f'a template of the map would run: {text}'
    plain = re.sub(r'\{\{ "(\{\{)" \}\}', r'\1', alerts[1]['annotations']['summary'])
    same(plain, WHERE + ' ' + OBJECT)
    recorded = {rule['record']: rule['expr'] for group in yaml.load(
        emitted('Prometheus', 'samples'), UniqueKeys)['groups'] for rule in group['rules']
                if 'record' in rule}
    same(recorded['instance:ras_frame_time_distribution_seconds:p95_5m'],
         'histogram_quantile(0.95, rate(ras_frame_time_distribution_seconds_bucket[5m])) or '
         'histogram_quantile(0.95, rate(ras_frame_time_distribution_seconds[5m]))')


# An alert of each kind for the sample whose map shows the service's health. The map of the other
# sample does not show it. The table in health_numbers.h has all alerts.
HEALTH = {
    'PrfDataNoPublisher': 'ras_health_publishers == 0',
    'PrfDataTorn': 'increase(ras_health_torn_samples_total[15m]) > 0',
    'PrfDataSlow': 'ras_health_collect_seconds > 1',
}


def test_prometheus_health():
    alerts = [rule for group in yaml.load(emitted('Prometheus', 'samples'), UniqueKeys)['groups']
              for rule in group['rules'] if 'alert' in rule]
    health = [rule for rule in alerts if 'health' in rule['expr'] and 'object' not in rule['labels']]
    names = {rule['alert']: rule['expr'] for rule in health}
    same({name: names.get(name) for name in HEALTH}, HEALTH)
    header = (pathlib.Path(__file__).parents[2] / 'ini/RasSample.h').read_text(encoding='utf-8')
    same([len(health), len(names)], [len(re.findall('#define RAS_HEALTH_', header))] * 2)
    limit = re.compile(r'increase\(ras_health_\w+_total\[15m\]\) > \d+|ras_health_\w+(?<!_total) [=>]+ \d+')
    assert all(limit.fullmatch(rule['expr']) for rule in health), health
    for rule in health:
        same(rule['labels'], {'severity': 'warning', 'service': 'RasSample'})
        assert rule['for'].endswith('m') and rule['annotations']['description'], rule
        assert rule['annotations']['summary'].startswith('RasSample on {{ $labels.instance }}: ')
    hostile = yaml.load(emitted('Prometheus', 'hostile'), UniqueKeys)['groups'][1]['rules']
    assert not any(rule['alert'] in names for rule in hostile)


def check_panels(dashboard):
    """Expect that no panels overlap and each has what its type needs."""
    taken = set()
    for panel in dashboard['panels']:
        at = panel['gridPos']
        cells = {(x, y) for x in range(at['x'], at['x'] + at['w'])
                 for y in range(at['y'], at['y'] + at['h'])}
        assert max(x for x, _ in cells) < 24 and not cells & taken, panel
        taken |= cells
        if panel['type'] != 'row':
            same(panel['type'], 'timeseries')
            same(panel['datasource'], {'type': 'prometheus', 'uid': '${prfdata_datasource}'})
            assert panel['targets'] and all(target['expr'] for target in panel['targets'])
    same([panel['id'] for panel in dashboard['panels']],
         list(range(1, len(dashboard['panels']) + 1)))


def check_samples(dashboard):
    """Check the distribution of a sample: its percentiles as Windows shows them, and those of a histogram."""
    check_panels(dashboard)
    panels = {panel['title']: [target['expr'] for target in panel.get('targets', [])]
              for panel in dashboard['panels']}
    same([re.match('[a-z0-9_]+', each).group() for each in panels['Frame Time, percentiles']],
         [f'ras_frame_time_{name}_seconds' for name in ('p50', 'p95', 'p99', 'maximum')])
    same([re.match('[a-z0-9_]+', each).group() for each in
          panels['Frame Time, percentiles, all instances']],
         [f'ras_frame_time_{name}_overall_seconds' for name in ('p50', 'p95', 'p99', 'maximum')])
    for end in ('', ', all instances'):
        # A query uses the classic histogram if there is one, otherwise the native one.
        same([re.findall(r'histogram_quantile\((0\.\d+), rate\(([a-z_]+)', each)
              for each in panels['Frame Time, distribution' + end]],
             [[(share, 'ras_frame_time_distribution' + ('_overall' if end else '') + '_seconds' + kind)
               for kind in ('_bucket', '')] for share in ('0.5', '0.95', '0.99')])


def test_grafana():
    dashboard = read_json(emitted('Grafana', 'hostile'))
    check_panels(dashboard)
    same([panel['title'] for panel in dashboard['panels'] if panel['type'] == 'row'],
         ['Emit Plain', OBJECT, 'Emit Children', 'Emit Times'])
    same([each['name'] for each in dashboard['templating']['list']],
         ['prfdata_datasource', 'prfdata_job', 'prfdata_instance'])
    panels = {panel['title']: panel for panel in dashboard['panels']}
    chosen = '{job=~"$prfdata_job",instance=~"$prfdata_instance"}'

    def expressions(title):
        return [target['expr'] for target in panels[title]['targets']]

    same(expressions('Level'), [PREFIX + 'level' + chosen])
    same(expressions(COUNTER), [f'rate({PREFIX}hostile_total{chosen}[$__rate_interval])'])
    same(expressions(COUNTER + ', all instances'),
         [f'rate({PREFIX}hostile_overall_total{chosen}[$__rate_interval])'])
    same(expressions('Elapsed Time'), [f'time() - {PREFIX}since_start_time_seconds{chosen}'])
    same(expressions('Bytes/Job'), ['rate(emit_job_size_bytes_sum' + chosen + '[$__rate_interval])'
                                    ' / rate(emit_job_size_bytes_count' + chosen +
                                    '[$__rate_interval])'])
    same({title: panels[title]['fieldConfig']['defaults']['unit'] for title in
          ('Level', 'Wait', 'Load', 'Memory/sec', 'Started, per second', '% Busy', 'Avg. Length', 'sec/Job')},
         {'Level': 'short', 'Wait': 's', 'Load': 'percentunit', 'Memory/sec': 'binBps',
          'Started, per second': 'cps', '% Busy': 'percentunit', 'Avg. Length': 'short', 'sec/Job': 's'})
    # A panel shows what its title says. A counter has no panel of its own if the query of another
    # counter's panel already uses it.
    same(expressions('% Hits'), [f'rate({PREFIX}hits_total{chosen}[$__rate_interval]) / '
                                 f'rate({PREFIX}hits_samples_total{chosen}[$__rate_interval])'])
    same(expressions('% Busy of all'), [f'rate({PREFIX}busy_multi_seconds_total{chosen}[$__rate_interval]) / '
                                        f'{PREFIX}busy_multi_components{chosen}'])
    assert not any(title.endswith((', samples', ', components')) for title in panels), list(panels)
    assert panels[COUNTER]['description'].startswith(HELP[:40]), panels[COUNTER]['description']
    same(panels['Level']['targets'][0]['legendFormat'], '{{instance}}')
    same(panels['% Busy']['targets'][0]['legendFormat'], '{{instance}} {{name}}')
    # If an instance has a parent, the legend shows the names of both.
    same(panels['Taken/sec']['targets'][0]['legendFormat'], '{{instance}} {{parent}} {{name}}')
    # The percentiles of a distribution are in one panel. The panel's title begins with the words
    # that the titles of all percentiles share.
    assert not any(title in panels for title in TIMES if title.startswith('Time')), list(panels)
    times = panels['Time, percentiles']
    same([target['expr'] for target in times['targets']],
         [f'emit_time_{name}_seconds{chosen}' for name in ('median', 'p999', 'maximum')])
    same([target['legendFormat'] for target in times['targets']],
         ['{{instance}} p50', '{{instance}} p99.9', '{{instance}} maximum'])
    stay = panels['Stay, percentiles, all instances']
    same([(target['expr'], target['legendFormat']) for target in stay['targets']],
         [(f'{PREFIX}stay_{name}_overall_seconds{chosen}', '{{instance}} ' + label)
          for name, label in (('p50', 'p50'), ('max', 'maximum'))])
    assert stay['description'].count('Of all instances, ended ones too.') == 2
    same(len({target['refId'] for target in times['targets']}), 3)
    same(times['fieldConfig']['defaults']['unit'], 's')
    same(times['description'], '\n\n'.join(f'{name}: Help. Values times 1e-06.' for name in
                                           ('Time p50', 'Time p99.9', 'Time maximum')))
    same(len(expressions('Size p99')), 1)
    same(panels['Size p99']['description'], 'Help.')
    check_samples(read_json(emitted('Grafana', 'samples')))


# ---- Markdown ----

def page_of(text):
    run = subprocess.run(['cmark-gfm', '--unsafe', '--extension', 'table', '--to', 'xml'],
                         check=True, input=text.encode(), stdout=subprocess.PIPE)
    root = xml.etree.ElementTree.fromstring(run.stdout)
    for node in root.iter():
        node.tag = node.tag.split('}')[-1]
    return root


def text_of(node):
    """Return the text of a node that has only words and code."""
    for child in node.iter():
        assert child.tag in (node.tag, 'text', 'code', 'softbreak'), child.tag
    return ''.join(child.text for child in node.iter() if child.tag in ('text', 'code'))


def test_markdown():
    page = page_of(emitted('Markdown', 'hostile'))
    same([text_of(heading) for heading in page.iter('heading')],
         ['Performance counters of Emit Test-1.0', 'Emit Plain', OBJECT, 'Emit Children', 'Emit Times'])
    rows = [[text_of(cell) for cell in row.iter('table_cell')] for row in page.iter('table_row')]
    same(sum(1 for _ in page.iter('table')), 4)
    same([row[0] for row in rows], PLAIN + QUEUES + ['Taken/sec'] + TIMES)
    assert all(len(row) == 5 for row in rows), rows
    same(rows[len(PLAIN)], [COUNTER, 'per second', '1/s', f'{PREFIX}hostile_total, '
                            f'{PREFIX}hostile_overall_total', HELP])
    same(sum(1 for _ in page_of(emitted('Markdown', 'samples')).iter('table')), 6)


for test in (test_opentelemetry, test_telegraf, test_windows_exporter,
             test_windows_exporter_names, test_alloy, test_zabbix,
             test_zabbix_names_fit,
             test_zabbix_calculates_means_and_ratios_of_raw_values, test_zabbix_shows_what_happened, test_prometheus, test_prometheus_health, test_grafana, test_markdown):
    try:
        test()
    except Exception:
        print(f'{test.__name__} failed')
        raise
print('passed')
