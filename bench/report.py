# SPDX-License-Identifier: MIT
"""Make the table, the JSON and the pages from the samples that prfdata_bench and the programs in
compared/ have printed.

    report.py linux|wine COMMAND [-write] [-strict]

bench/run calls this and explains the options. Reads build/bench/<system>.samples.
"""
import collections
import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PAGE = os.path.join(SOURCE, 'docs/performance.md')
TITLES = {'linux': 'Linux', 'wine': 'Windows programs under Wine'}
PLOTS = os.path.join(SOURCE, 'docs/performance')
LEAST_KEPT = 3    # if fewer samples than this are undisturbed, disturbed ones count, too
# If a sample took this many times the median, the system ran another program meanwhile.
FAR_TOO_LONG = 3
COPIES = ('copy, memcpy', 'copy, streaming', 'copy, rep movsb')

Spread = collections.namedtuple('Spread', 'median low high kept taken')


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method='inclusive')
    return low, high


class Samples:
    """The samples of one contestant. A sample is None if another program was running."""

    def __init__(self, ns, disturbed):
        kept = [None if i in disturbed else value for i, value in enumerate(ns)]
        if sum(value is not None for value in kept) < LEAST_KEPT:
            kept = list(ns)
        limit = FAR_TOO_LONG * statistics.median(value for value in kept if value is not None)
        self.rounds = [value if value is not None and value <= limit else None for value in kept]

    def spread(self):
        values = [value for value in self.rounds if value is not None]
        return Spread(statistics.median(values), *quartiles(values), len(values), len(self.rounds))

    @property
    def median(self):
        return self.spread().median


class Results:
    def __init__(self, path):
        self.races = {}
        self.figures = {}
        with open(path, encoding='utf-8') as file:
            for line in file:
                entry = json.loads(line)
                if 'race' in entry:
                    race = self.races.setdefault(entry['race'], {})
                    samples = Samples(entry['ns'], set(entry['disturbed']))
                    if entry['who'] in race:  # the race was run again at other addresses
                        race[entry['who']].rounds += samples.rounds
                    else:
                        race[entry['who']] = samples
                else:
                    self.figures[entry['figure']] = (entry['value'], entry['unit'])

    def get(self, race, *names):
        """Return the samples of the first of these contestants that took part, or None."""
        contestants = self.races.get(race, {})
        return next((contestants[name] for name in names if name in contestants), None)

    def copy(self, race):
        """Return the samples of the fastest copy."""
        copies = [self.get(race, name) for name in COPIES]
        return min((copy for copy in copies if copy), key=lambda copy: copy.median, default=None)


def ratio(above, below):
    """Return the median ratio of two contestants, over the rounds that are undisturbed for both. If
    there are too few such rounds, return the ratio of the contestants' medians."""
    if above is None or below is None:
        return None
    pairs = [a / b for a, b in zip(above.rounds, below.rounds) if a is not None and b is not None]
    if len(pairs) >= LEAST_KEPT:
        return Spread(statistics.median(pairs), *quartiles(pairs), len(pairs), len(above.rounds))
    a, b = above.spread(), below.spread()
    return Spread(a.median / b.median, a.low / b.high, a.high / b.low, min(a.kept, b.kept), a.taken)


def scaled(spread, factor):
    return spread and Spread(*(value * factor for value in spread[:3]), *spread[3:])


def difference(above, below):
    if above is None or below is None:
        return None
    a = above.spread()
    return Spread(a.median - below.median, a.low - below.median, a.high - below.median, a.kept,
                  a.taken)


# measured: a Spread, or None if it was not measured; limit: a maximum, or a minimum if is_least
Promise = collections.namedtuple('Promise', 'id text measured limit is_least unit')


def is_met(promise):
    if promise.is_least:
        return promise.measured.median >= promise.limit
    return promise.measured.median <= promise.limit


def bump_promises(results):
    one, two, many = (results.get(f'threads/{n}', 'hot bump') for n in (1, 2, 16))
    yield Promise('P1', 'default bump, of a bare `lock inc`',
                  ratio(results.get('bump', 'default bump'), results.get('bump', 'bare lock inc')),
                  1.1, False, 'x')
    yield Promise('P1', 'recording a value, of the clock and two additions',
                  ratio(results.get('record', 'record'),
                        results.get('record', 'clock and two additions')), 1.5, False, 'x')
    for race, place, limit in (('bump', 'in L1', 2), ('bump/scattered', 'over 2 MiB', 1.1)):
        yield Promise('P2', f'exclusive bump {place}, of the call-site floor',
                      ratio(results.get(race, 'exclusive bump'),
                            results.get(race, 'call-site floor')), limit, False, 'x')
    yield Promise('P3', 'hot bump, throughput of 2 threads, of 1 thread', ratio(one, two), 1.9, True,
                  'x')
    yield Promise('P3', 'hot bump, throughput of 16 threads, of 2 threads', ratio(two, many), 0.95,
                  True, 'x')


def collect_promises(results, system):
    def of_gather(shape):
        race = f'collect/{shape}/warm'
        return ratio(results.get(race, 'Collect'), results.get(race, 'bare gather'))

    for shape, limit in (('1000x20', 1.1), ('10000x20', 1.1), ('100x10', 1.5)):
        yield Promise('P4', f'Collect of {shape}, of a bare gather', of_gather(shape), limit, False,
                      'x')
    if system != 'wine':  # an absolute time would include Wine's own work
        yield Promise('P4', 'Collect of 1x10, beyond the time stamp',
                      difference(results.get('collect/1x10', 'Collect'),
                                 results.get('collect/1x10', 'time stamp')), 50, False, 'ns')
    race = 'collect/10000x20'
    yield Promise('P5', 'ERROR_MORE_DATA at 10000x20, of its Collect',
                  ratio(results.get(race, 'ERROR_MORE_DATA'), results.get(race, 'Collect')), 1 / 20,
                  False, 'x')


def other_promises(results):
    few, many = (results.get(f'instances/{n}', 'add + remove') for n in (10, 10000))
    yield Promise('P6', 'an instance comes and goes among 10,000', many and many.spread(), 500, False,
                  'ns')
    yield Promise('P6', 'the same, of one among 10', ratio(many, few), 2, False, 'x')
    race = 'collect/1000x20'
    collect = results.get(race, 'Collect')
    yield Promise('P7', "Richter's shape at 1000x20, of our Collect",
                  ratio(results.get(race, "Richter's shape, a look-up per value"), collect), 8, True,
                  'x')
    yield Promise('P7', "PCP's pmFetch at 1000x20, of our Collect",
                  ratio(results.get(race, 'PCP, pmFetch'), collect), 1000, True, 'x')
    sample = results.get('sampling/10000x20', 'a sample')
    yield Promise('P8', 'a sample each second of 10000x20, of which 100 come and 100 go',
                  sample and scaled(sample.spread(), 100 / 1e9), 1, False, '% of a core')


def reader_promises(results):
    race = 'readers/10000 values'
    for id_, shown, floor, limit in (
            ('P9', 'columns, a row of CSV', 'a row of CSV, numbers known', 3),
            ('P10', 'exposition', 'an exposition, numbers known', 2)):
        yield Promise(id_, f'{shown.split(", ")[-1]} of 10,000 values, of the same with numbers known',
                      ratio(results.get(race, shown), results.get(race, floor)), limit, False, 'x')
    yield Promise('P9b', 'a line of JSON of 10,000 values, of a row of CSV',
                  ratio(results.get(race, 'columns, a line of JSON'), results.get(race, 'columns, a row of CSV')),
                  2, False, 'x')
    race = 'readers/10000 values, some new'
    for id_, shown, limit in (('P9', 'a row of CSV', 1.3), ('P10', 'exposition', 1.5)):
        yield Promise(id_, f'{shown} of 10,000 values of which 100 are new, of one without',
                      ratio(results.get(race, f'{shown}, 100 values new'),
                            results.get(race, shown)), limit, False, 'x')


def region_promises(results, system):
    for count in (16, 256, 1000):
        race = f'regions/{count}'
        yield Promise('R1', f'Collect over {count} regions, of one with as many instances',
                      ratio(results.get(race, 'many regions'), results.get(race, 'one region')), 1.5,
                      False, 'x')
    if system == 'wine':
        return  # under Wine every access to a file is a call to another process
    race = 'regions/1000/opening'
    opened = results.get(race, 'Open and Close of a provider')
    yield Promise('R2', 'Open and Close of a provider with 1,000 regions',
                  opened and scaled(opened.spread(), 1e-6), 100, False, 'ms')
    yield Promise('R2', 'opening a publisher beside 1,000 regions, of one look at each file',
                  ratio(results.get(race, 'opening a publisher'),
                        results.get(race, 'one look at each file')), 1.75, False, 'x')


def all_promises(results, system):
    yield from bump_promises(results)
    yield from collect_promises(results, system)
    yield from other_promises(results)
    yield from reader_promises(results)
    yield from region_promises(results, system)


def number(value):
    if value >= 100:
        return f'{value:,.0f}'
    return f'{value:.3g}' if value >= 0.1 else f'{value:.2g}'


def time(ns):
    for unit, factor in (('s', 1e9), ('ms', 1e6), ('us', 1e3)):
        if ns >= factor:
            return f'{ns / factor:.3g} {unit}'
    return f'{ns:.3g} ns'


def promise_rows(promises):
    yield '| promise | measured | spread | limit | |'
    yield '|---|---|---|---|---|'
    for p in promises:
        limit = f'{"at least" if p.is_least else "at most"} {number(p.limit)} {p.unit}'
        if p.measured is None:
            yield f'| {p.id} {p.text} | not measured | | {limit} | |'
            continue
        verdict = 'met' if is_met(p) else '**not met**'
        yield (f'| {p.id} {p.text} | {number(p.measured.median)} {p.unit} | '
               f'{number(p.measured.low)} to {number(p.measured.high)} | {limit} | {verdict} |')


def race_order(race):
    return [int(part) if part.isdigit() else part for part in re.split(r'(\d+)', race)]


def reference_of(results, race):
    """Return the contestant with which the others of a race are compared, and its name."""
    for name in ('bare lock inc', 'one region', 'call-site floor'):
        if results.get(race, name):
            return results.get(race, name), name
    if race.startswith('collect/'):
        return results.copy(race), 'copy'
    return None, None


def race_rows(results):
    yield '| | median | spread | |'
    yield '|---|---|---|---|'
    for race in sorted(results.races, key=race_order):
        reference, name = reference_of(results, race)
        for who, samples in results.races[race].items():
            spread = samples.spread()
            beside = (f'{number(spread.median / reference.median)} x {name}'
                      if reference and samples is not reference else '')
            yield (f'| {race}: {who} | {time(spread.median)} | '
                   f'{time(spread.low)} to {time(spread.high)} | {beside} |')
    for figure, (value, unit) in results.figures.items():
        yield f'| {figure} | {number(value)} {unit} | | |'
    for race, contestants in results.races.items():
        if race.startswith('once a second'):
            share = next(iter(contestants.values())).median / 1e9 * 100
            yield f'| {race}: share of a processor | {share:.3g} % | | |'


def said(*command):
    done = subprocess.run(command, cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding='utf-8', check=False)
    return done.stdout.strip()


def processor():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        text = file.read()
    model = re.search(r'^model name\s*: (.*)$', text, re.M)
    return f'{len(os.sched_getaffinity(0))} x {model.group(1) if model else platform.machine()}'


def machine(system):
    compiler = 'x86_64-w64-mingw32-gcc' if system == 'wine' else 'cc'
    parts = [processor(), f'Linux {platform.release()}', said(compiler, '--version').split('\n')[0]]
    if system == 'wine':
        parts.append(said('/usr/lib/wine/wine64', '--version') or 'Wine')
    return ', '.join(parts)


def commit():
    return said('git', 'rev-parse', '--short', 'HEAD') + \
        (' and changes' if said('git', 'status', '--porcelain', '--', 'shared', 'provider') else '')


def profile_rows():
    """Return a table of the functions that execute most instructions of each operation."""
    operation = None
    rows = collections.defaultdict(list)
    for line in said('bench/instructions', '--profile').splitlines():
        function = re.match(r'\s+([\d.]+) %  (\w+)', line)
        if function and operation:
            rows[operation].append(f'`{function.group(2)}` {function.group(1)} %')
        else:
            operation = line.rstrip(':')
    yield '| operation | instructions, by function |'
    yield '|---|---|'
    for name, functions in rows.items():
        if 'bumps' not in name:
            yield f'| {name} | {", ".join(functions)} |'


Plot = collections.namedtuple('Plot', 'name title x races curves')
OTHERS = ("Richter's shape, a look-up per value", 'PCP, pmFetch', 'prometheus-cpp, as text')
ALL_PLOTS = (
    Plot('collect-instances', 'Collect, 20 counters', 'instances',
         {n: f'collect/{n}x20' for n in (10, 100, 1000, 10000, 65000)},
         ('copy, memcpy', 'bare gather', 'Collect', 'ERROR_MORE_DATA') + OTHERS),
    Plot('collect-counters', 'Collect, 1 instance', 'counters',
         {n: f'collect/1x{n}' for n in (1, 10, 100, 1000)},
         ('copy, memcpy', 'bare gather', 'Collect') + OTHERS),
    Plot('collect-regions', 'Collect, 10 instances of 20 counters in each region', 'regions',
         {n: f'regions/{n}' for n in (1, 4, 16, 64, 256, 1000)}, ('many regions', 'one region')),
    Plot('opening', 'Opening beside many regions', 'regions',
         {n: f'regions/{n}/opening' for n in (1, 4, 16, 64, 256, 1000)},
         ('Collect with a refresh', 'Open and Close of a provider', 'opening a publisher')),
    Plot('bump-threads', 'One bump, all threads on one counter', 'threads',
         {n: f'threads/{n}' for n in (1, 2, 4, 8, 16)},
         ('bare lock inc', 'default bump', 'hot bump', "Richter's shape, interlocked",
          'prometheus-cpp')),
    Plot('instances', 'An instance comes and goes', 'instances beside it',
         {n: f'instances/{n}' for n in (10, 100, 1000, 10000, 60000)},
         ('add + remove', "Richter's shape", 'prometheus-cpp')),
)


def draw(plot, results, path):
    curves = {}
    for who in plot.curves:
        points = [(x, results.get(race, who).median) for x, race in plot.races.items()
                  if results.get(race, who)]
        if points:
            curves[who] = points
    if not curves:
        return False
    times = ', '.join(f'"{time(10 ** power)}" 1e{power}' for power in range(12))
    numbers = ', '.join(f'"{x:,}" {x}' for x in plot.races)
    script = ['set terminal svg size 760,520 font "sans,13" background "white"',
              f'set output "{path}"', f'set title "{plot.title}"', f'set xlabel "{plot.x}"',
              'set logscale xy', f'set xtics ({numbers})', f'set ytics ({times})', 'set grid',
              f'set xrange [{min(plot.races) / 1.3}:{max(plot.races) * 1.3}]', 'set key below vertical maxcols 1 left Left reverse',
              'set style data linespoints',
              'plot ' + ', '.join(f'"-" title "{who}" noenhanced lw 2' for who in curves)]
    for points in curves.values():
        script += [f'{x} {y}' for x, y in points] + ['e']
    subprocess.run(['gnuplot'], input='\n'.join(script), encoding='utf-8', check=True)
    return True


def plots(system, results):
    os.makedirs(PLOTS, exist_ok=True)
    for plot in ALL_PLOTS:
        name = f'{system}-{plot.name}.svg'
        if draw(plot, results, os.path.join(PLOTS, name)):
            yield f'![{plot.title}, against {plot.x}](performance/{name})'


def as_json(system, command, promises, results):
    return {
        'system': system, 'command': command, 'machine': machine(system), 'commit': commit(),
        'promises': [{'id': p.id, 'text': p.text, 'limit': p.limit, 'unit': p.unit,
                      'measured': p.measured and p.measured._asdict(),
                      'met': None if p.measured is None else is_met(p)} for p in promises],
        'races': {race: {who: samples.spread()._asdict() for who, samples in contestants.items()}
                  for race, contestants in results.races.items()},
        'figures': results.figures}


def write_table(system, title, origin, results):
    """Write all measurements. Return the link to them."""
    name = f'{system}.md'
    with open(os.path.join(PLOTS, name), 'w', encoding='utf-8') as file:
        file.write('\n'.join([f'# Measured: {title}', '',
                              f'These are the measurements behind [the page about performance](../performance.md). {origin}', '',
                              *race_rows(results), '']))
    return f'[Everything that was measured](performance/{name})'


def write_page(system, command, promises, results):
    origin = f'{machine(system)}. Commit {commit()}, {datetime.date.today()}, `{command}`.'
    lines = [origin, '']
    lines += list(promise_rows(promises)) + ['']
    if system == 'linux' and any(p.measured and not is_met(p) for p in promises):
        lines += ['Where the time goes, without the functions that a function calls '
                  '(`bench/instructions --profile`):', ''] + list(profile_rows()) + ['']
    for picture in plots(system, results):
        lines += [picture, '']
    lines.append(write_table(system, TITLES[system], origin, results))
    begin, end = (f'<!-- bench/run {system}: {word} -->' for word in ('begin', 'end'))
    with open(PAGE, encoding='utf-8') as file:
        before, found, rest = file.read().partition(begin + '\n')
    if not found or end not in rest:
        sys.exit(f'{PAGE}: the lines "{begin}" and "{end}" are missing')
    with open(PAGE, 'w', encoding='utf-8') as file:
        file.write('\n'.join([before + begin, ''] + lines + ['', end]) + rest.partition(end)[2])


def main():
    system, command, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    results = Results(os.path.join(SOURCE, f'build/bench/{system}.samples'))
    promises = list(all_promises(results, system))
    print('\n'.join([machine(system), ''] + list(promise_rows(promises)) + [''] +
                    list(race_rows(results))))
    with open(os.path.join(SOURCE, f'build/bench/{system}.json'), 'w', encoding='utf-8') as file:
        json.dump(as_json(system, command, promises, results), file, indent=1)
    if '-write' in options:
        write_page(system, command, promises, results)
    broken = [p for p in promises if p.measured and not is_met(p)]
    print(f'\n{len(promises)} promises: {len(broken)} not met, '
          f'{sum(p.measured is None for p in promises)} not measured')
    return 1 if broken and '-strict' in options else 0


sys.exit(main())
