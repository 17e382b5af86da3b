#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare statistics and distributions of random samples with a second computation in fractions.

    test_oracle.py <command that runs answer>...

The formulas are those of Microsoft's "Counter Types", "Calculating Counter Values" and the resource
kits. reader/compute/statistics.h defines the means, docs/region-format.md the buckets. The numbers
are drawn from a fixed seed.
"""
import random
import subprocess
import sys
from fractions import Fraction

GONE, ONE_SAMPLE, NO_DATA = 0x800007D1, 0xC0000BC6, 0x800007D5
NOCAP100 = 0x8000  # PDH_FMT_NOCAP100
PT, NS, OBJ = "perf", "100ns", "object"


def rate(new, old):
    return (new["n"] - old["n"]) / (Fraction(new[PT] - old[PT]) / new["f"])


def queue(clock):
    return lambda new, old: Fraction(new["n"] - old["n"], new[clock] - old[clock])


def percent(clock):
    return lambda new, old: 100 * Fraction(new["n"] - old["n"], new[clock] - old[clock])


def idle(clock):
    return lambda new, old: 100 * (1 - Fraction(new["n"] - old["n"], new[clock] - old[clock]))


def of_base(factor):
    return lambda new, old: factor * Fraction(new["n"] - old["n"], new["b"] - old["b"])


# type: (bytes of value, bytes of base, samples, clock, divisor ("clock", "base" or None), formula)
TYPES = {
    0x00010000: (4, 0, 1, PT, None, lambda new, _: Fraction(new["n"])),
    0x00010100: (8, 0, 1, PT, None, lambda new, _: Fraction(new["n"])),
    0x00400400: (4, 0, 2, PT, None, lambda new, old: Fraction(new["n"] - old["n"])),
    0x00400500: (8, 0, 2, PT, None, lambda new, old: Fraction(new["n"] - old["n"])),
    0x10410400: (4, 0, 2, PT, "clock", rate),
    0x10410500: (8, 0, 2, PT, "clock", rate),
    0x00410400: (4, 0, 2, PT, "clock", rate),
    0x00450400: (4, 0, 2, PT, "clock", queue(PT)),
    0x00450500: (8, 0, 2, PT, "clock", queue(PT)),
    0x00550500: (8, 0, 2, NS, "clock", queue(NS)),
    0x00650500: (8, 0, 2, OBJ, "clock", queue(OBJ)),
    0x20410500: (8, 0, 2, PT, "clock", percent(PT)),
    0x21410500: (8, 0, 2, PT, "clock", idle(PT)),
    0x20510500: (8, 0, 2, NS, "clock", percent(NS)),
    0x21510500: (8, 0, 2, NS, "clock", idle(NS)),
    0x20610500: (8, 0, 2, OBJ, "clock", percent(OBJ)),
    0x20C20400: (4, 4, 2, PT, "base", of_base(100)),
    0x20020400: (4, 4, 1, PT, None, lambda new, _: Fraction(100 * new["n"], new["b"])),
    0x20020500: (8, 8, 1, PT, None, lambda new, _: Fraction(100 * new["n"], new["b"])),
    0x30020400: (8, 4, 2, PT, "base",
                 lambda new, old: Fraction(new["n"] - old["n"], new["f"]) / (new["b"] - old["b"])),
    0x40020500: (8, 4, 2, PT, "base", of_base(1)),
    0x20470500: (8, 8, 2, PT, "base", of_base(100)),
    0x20570500: (8, 8, 2, PT, "base", of_base(100)),  # this type has its own time stamp and uses no
                                                      # clock of the sample
}
INVERSE = (0x21410500, 0x21510500)
PERCENTAGES = [each for each in TYPES if each >> 28 == 2]


def draw_samples(rng, kind):
    """Draw samples of a counter that counts operations, with pauses, missing samples and idle times."""
    value_bytes, base_bytes = TYPES[kind][:2]
    now = {"n": rng.randrange(1 << 30), "b": 1 + rng.randrange(1 << 20), PT: rng.randrange(1 << 40),
           NS: rng.randrange(1 << 50), OBJ: rng.randrange(1 << 40), "f": 10 ** rng.randint(3, 7)}
    samples = []
    for _ in range(rng.randint(1, 12)):
        now = dict(now, gone=rng.random() < 0.1)
        samples.append(now)
        step = rng.choice((0, 1, 1000, 10 ** 6))
        now = dict(now, n=now["n"] + rng.randrange(1 + step * rng.randint(0, 3)))
        now["b"] += rng.choice((0, 1, rng.randrange(1 + step)))
        for clock in (PT, NS, OBJ):
            now[clock] += 1 + rng.randrange(10 ** rng.randint(1, 8))
        if value_bytes == 4 or base_bytes == 4:
            assert now["n"] < 1 << 32 and now["b"] < 1 << 32
    return samples


def compute(kind, samples, capped):
    """Return the values with their times and divisors, and how many values are missing."""
    _, _, needed, clock, divides, formula = TYPES[kind]
    values, skipped = [], 0
    old = None
    for i, new in enumerate(samples):
        value = None
        usable = not new["gone"] and (needed == 1 or (old and not old["gone"]))
        if usable and (divides != "base" or new["b"] > old["b"]):
            value = formula(new, old)
        if value is not None and capped and kind in PERCENTAGES:
            value = min(value, Fraction(100))
            if kind in INVERSE:
                value = max(value, Fraction(0))
        if value is None:
            skipped += 1 if i > 0 or new["gone"] else 0
        else:
            ticks = new[clock] - old[clock] if old and not old["gone"] else 0
            weight = {"clock": ticks, "base": new["b"] - old["b"] if old else 1, None: 1}[divides]
            values.append((value, ticks, weight))
        old = new
    return values, skipped


def mean(values, at):
    weight = sum(each[at] if at else 1 for each in values)
    return sum(each[0] * (each[at] if at else 1) for each in values) / weight if weight else None


def same_number(found, expected):
    return abs(found - float(expected)) <= 1e-9 * max(1e-9, abs(float(expected)))


def validate_statistics(kind, samples, capped, answer):
    values, skipped = compute(kind, samples, capped)
    status, count, missing = (int(each) for each in answer[:3])
    if (count, missing) != (len(values), skipped):
        return f"{count} values, {missing} skipped instead of {len(values)}, {skipped}"
    if not values:
        return None if status else "a status of nothing"
    expected = [min(each[0] for each in values), max(each[0] for each in values), mean(values, 0),
                mean(values, 1), mean(values, 2)]
    for i, wanted in enumerate(expected):
        state, number = int(answer[3 + 2 * i]), float(answer[4 + 2 * i])
        if wanted is None and state != ONE_SAMPLE:
            return f"number {i} has status {state:#x}"
        if wanted is not None and (state != 0 or not same_number(number, wanted)):
            return f"number {i} is {number} ({state:#x}) instead of {float(wanted)}"
    return None


def bucket_of(value, per_octave):
    """Return the lowest and the highest number of the bucket. Below per_octave each number has its own
    bucket. Above, each octave has per_octave buckets."""
    if value < per_octave:
        return value, value
    width = 1
    while value // width >= 2 * per_octave:
        width *= 2
    return value // width * width, value // width * width + width - 1


def validate_distribution(lowest, highest, per_octave, share, values, answer):
    """Return what is wrong with an answer, or None. The rank is the share of the number of values,
    rounded up. The percentile must be the middle of the bucket of the value with this rank. The mean
    must be rounded."""
    percentile, average = (int(each) for each in answer)
    if not values:
        return None if (percentile, average) == (0, 0) else f"nothing is {percentile}, {average}"
    rank = max(1, -(-len(values) * share // 10000))
    kept = sorted(min(max(value, lowest), highest) for value in values)[rank - 1]
    low, high = bucket_of(kept, per_octave)
    if not low <= percentile <= high:
        return f"p{share / 100} is {percentile}, not in the bucket of {kept}, {low} to {high}"
    if abs(2 * percentile - low - high) > 1:
        return f"{percentile} is not the middle of {low} to {high}"
    half = Fraction(sum(values), len(values))
    return None if abs(average - half) <= Fraction(1, 2) else f"the mean is {average}, not {half}"


def questions_of(rng):
    for _ in range(6000):
        kind = rng.choice(list(TYPES))
        samples = draw_samples(rng, kind)
        capped = rng.random() < 0.5
        numbers = [kind, *TYPES[kind][:2], 0 if capped else NOCAP100, len(samples)]
        for each in samples:
            numbers += [GONE if each["gone"] else 0, each["n"], each["b"], each[PT], each["f"],
                        each[NS], each[OBJ], each["f"]]
        yield "s", numbers, (validate_statistics, kind, samples, capped)
    for _ in range(3000):
        lowest = rng.randrange(1 << rng.randint(0, 20))
        highest = lowest + rng.randrange(1 << rng.randint(0, 40))
        per_octave = rng.choice((4, 8, 16, 32))
        share = rng.choice((1, 5000, 9000, 9900, 9990, 10000, rng.randint(1, 10000)))
        values = [rng.randrange(1 << rng.randint(0, 42)) for _ in range(rng.randrange(60))]
        yield ("d", [lowest, highest, per_octave, share, len(values), *values],
               (validate_distribution, lowest, highest, per_octave, share, values))


def main():
    questions = list(questions_of(random.Random(20261122)))
    asked = "".join(f"{letter} {' '.join(map(str, numbers))}\n" for letter, numbers, _ in questions)
    run = subprocess.run(sys.argv[1:], input=asked.encode(), stdout=subprocess.PIPE, check=True)
    answers = run.stdout.decode().splitlines()
    assert len(answers) == len(questions), (len(answers), len(questions))
    wrong = 0
    for (letter, numbers, (check, *known)), answer in zip(questions, answers):
        reason = check(*known, answer.split())
        if reason:
            wrong += 1
            if wrong <= 10:
                print(f"{reason}\n    {letter} {' '.join(map(str, numbers))}\n    {answer}")
    print(f"{len(questions)} answers, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
