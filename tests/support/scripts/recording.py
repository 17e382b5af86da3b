#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write a recording of an invented computer, for prfview and prfread.

    tests/support/scripts/recording.py <file> [--samples=120] [--sessions=40] [--latency] [--devices] [--from=0]
        [--moved=0]

The same arguments make the same bytes. With --from, earlier samples are left out. With --moved,
titles have later indexes, as after another installation. The objects are Shop (no instances),
Checkout (four queues, with rates, percentages, seconds and bytes), Worker (threads below Checkout's
queues; they come and go), and Session (as many as asked for; most are idle). With --latency there
is also Latency (percentiles of two queues, one of which is away for ten seconds). With --devices
there is also Device (hexadecimal counters of three instances, a percentage and a rate). This script
shares nothing with the code under test.
"""
import argparse
import math
import struct

RAWCOUNT, RATE, LARGE_RATE = 0x00010000, 0x10410400, 0x10410500
TIMER_100NS, AVERAGE_TIMER, AVERAGE_BASE = 0x20510500, 0x30020400, 0x40030402
LARGE_RAW, HEX, LARGE_HEX = 0x00010100, 0x00000000, 0x00000100
SECOND = 10000000  # PerfTime100nSec
START = 13443537000 * SECOND

# {title: (name, help)}
TITLES = {
    3000: ('Shop', 'A web shop as a whole.'),
    3002: ('Visitors', 'How many people are in the shop now.'),
    3004: ('Orders/sec', 'Orders that were placed per second.'),
    3006: ('Bytes Sent/sec', 'What the shop sent to its visitors.'),
    3010: ('Checkout', 'The queues in which orders wait.'),
    3012: ('Depth', 'Orders that wait now.'),
    3014: ('Orders/sec', 'Orders that left the queue per second.'),
    3016: ('% Busy Time', 'The part of the time in which the queue had work.'),
    3018: ('Avg. Seconds/Order', 'How long an order stayed, on average.'),
    3020: ('Bytes', 'The memory that waiting orders need.'),
    3030: ('Worker', 'Threads that empty the queues.'),
    3032: ('% Busy Time', 'The part of the time in which the thread worked.'),
    3034: ('Orders', 'Orders that it has handled.'),
    3040: ('Session', 'Sessions of visitors.'),
    3042: ('Requests/sec', 'Pages that were requested per second.'),
    3044: ('Basket', 'Things in the basket.'),
    3046: ('Bytes', 'The memory of the session.'),
}
LATENCY_TITLES = {
    3050: ('Latency', 'How long orders stayed in the queue.'),
    3052: ('Time p50', 'Half of the orders took at most so many us.'),
    3054: ('Time p95', '95 % of the orders took at most so many us.'),
    3056: ('Time p99', '99 % of the orders took at most so many us.'),
}
DEVICE_TITLES = {
    3060: ('Device', 'The devices of the shop.'),
    3062: ('State', 'The state of the device.'),
    3064: ('Position', 'The position in its memory.'),
    3066: ('Load', 'The part of the time in which the device worked.'),
    3068: ('Requests', 'Requests per second.'),
}


moved = 0  # distance by which titles are moved


def at(title):
    return title + moved if title else 0


def pad(data):
    return data + bytes(-len(data) % 8)


def counters(*types):
    """Return definitions of [(title, type)], with the size of their counter block."""
    made, offset = b'', 8
    for title, kind in types:
        size = 8 if kind & 0x300 == 0x100 else 4
        offset += -offset % size
        made += struct.pack('<IIIIIiIIII', 40, at(title), 0, at(title) + 1 if title else 0, 0, 0, 100, kind,
                            size, offset)
        offset += size
    return made, offset + -offset % 8


def values(types, numbers):
    made, size = bytearray(counters(*types)[1]), counters(*types)[1]
    struct.pack_into('<I', made, 0, size)
    offset = 8
    for (_, kind), number in zip(types, numbers):
        width = 8 if kind & 0x300 == 0x100 else 4
        offset += -offset % width
        struct.pack_into('<Q' if width == 8 else '<I', made, offset,
                         int(number) & ((1 << 8 * width) - 1))
        offset += width
    return bytes(made)


def instance(name, number_values, parent=(0, 0)):
    text = (name + '\0').encode('utf-16-le')
    length = 24 + len(text)
    length += -length % 8
    return pad(struct.pack('<IIIiII', length, at(parent[0]), parent[1], -1, 24, len(text)) + text) + number_values


def wire_object(title, types, instances):
    """Return an object. `instances` is [(name, numbers, parent)], or None and the numbers if it has no
    instances."""
    definitions = counters(*types)[0]
    if isinstance(instances, tuple):
        body, count = values(types, instances), -1
    else:
        body = b''.join(instance(name, values(types, numbers), parent)
                        for name, numbers, parent in instances)
        count = len(instances)
    length = 64 + len(definitions)
    return struct.pack('<IIIIIIIIIiiIqq', length + len(body), length, 64, at(title), 0, at(title) + 1, 0,
                       100, len(types), 0, count, 0, 0, SECOND) + definitions + body


QUEUES = ('Card', 'Gift', 'Invoice', 'Transfer')


def wave(second, period, phase=0.0):
    return 0.5 + 0.5 * math.sin(2 * math.pi * (second / period + phase))


def noise(second, seed):
    """Return a pseudo-random number from 0 to 1, which is the same on every system."""
    state = (second * 2654435761 + seed * 40503) & 0xFFFFFFFF
    state ^= state >> 16
    state = state * 0x45D9F3B & 0xFFFFFFFF
    return (state ^ state >> 16 & 0xFFFF) / 0xFFFFFFFF


class Computer:
    """Count what happens on a computer from second to second."""

    def __init__(self, sessions, has_latency, has_devices):
        self.sessions = sessions
        self.has_latency = has_latency
        self.has_devices = has_devices
        self.orders = [0.0] * 4
        self.busy = [0.0] * 4
        self.waited = [0.0] * 4
        self.shop = [0.0, 0.0]
        self.done = {}
        self.requests = [0] * sessions

    def load(self, second, queue):
        peak = 3 if 70 <= second < 82 and queue == 0 else 1
        return peak * (4 - queue) * (2 + 5 * wave(second, 47, queue / 5) + noise(second, queue))

    def advance(self, second):
        for queue in range(4):
            load = self.load(second, queue)
            self.orders[queue] += load
            self.busy[queue] += min(1.0, load / 40) * SECOND
            self.waited[queue] += load * (0.02 + load / 400) * SECOND
            self.shop[0] += load
        self.shop[1] += 300000 * (1 + wave(second, 60)) + 90000 * noise(second, 9)
        for session in range(0, self.sessions, 7):
            if noise(second, session) > 0.7:
                self.requests[session] += 1 + session % 5

    def latencies(self, second, queue):
        half = 400 + 300 * wave(second, 60, queue / 3)
        return half, 2 * half, 2.5 * half + 400 * noise(second, 5 + queue)

    def objects(self, second):
        shop = ((3002, RAWCOUNT), (3004, LARGE_RATE), (3006, LARGE_RATE))
        yield wire_object(3000, shop, (200 + 150 * wave(second, 90), self.shop[0], self.shop[1]))
        types = ((3012, RAWCOUNT), (3014, LARGE_RATE), (3016, TIMER_100NS), (3018, AVERAGE_TIMER),
                 (0, AVERAGE_BASE), (3020, LARGE_RAW))
        yield wire_object(3010, types, [
            (name, (self.load(second, i), self.orders[i], self.busy[i], self.waited[i] / 10,
                    self.orders[i], 4096 * (1 + self.load(second, i))), (0, 0))
            for i, name in enumerate(QUEUES)])
        threads = []
        for queue in range(4):
            for thread in range(1 + queue + (2 if second // 30 % 2 else 0)):
                key = queue, thread
                self.done[key] = self.done.get(key, 0) + 1 + thread
                threads.append((f'worker {thread + 1}',
                                (self.busy[queue] / (1 + thread), self.done[key]), (3010, queue)))
        yield wire_object(3030, ((3032, TIMER_100NS), (3034, RAWCOUNT)), threads)
        yield wire_object(3040, ((3042, RATE), (3044, RAWCOUNT), (3046, LARGE_RAW)), [
            (f'session {i:05}', (self.requests[i], self.requests[i] // 3, 8192 + 512 * (i % 11)),
             (0, 0)) for i in range(self.sessions)])
        if self.has_latency:
            yield wire_object(3050, ((3052, RAWCOUNT), (3054, RAWCOUNT), (3056, RAWCOUNT)), [
                (name, self.latencies(second, i), (0, 0)) for i, name in enumerate(('Card', 'Gift'))
                if i or not 50 <= second < 60])
        if self.has_devices:
            types = ((3062, HEX), (3064, LARGE_HEX), (3066, TIMER_100NS), (3068, LARGE_RATE))
            yield wire_object(3060, types, [
                (name, (state, 16 ** 8 + state, second * SECOND // 4, 7 * second), (0, 0))
                for name, state in (('printer', 0xBEEE), ('scale', 0xBEED), ('scanner', 0xBEEF))])


def block(computer, second):
    objects = list(computer.objects(second))
    body = b''.join(objects)
    time = START + second * SECOND
    utc = (2027, 1, 1, 4, 11, (50 * 60 + second) // 60 % 60, second % 60, 0)
    name = 'SHOP-01\0'.encode('utf-16-le')
    head = 88 + len(name) + -len(name) % 8
    return pad(struct.pack('<8sIIIIIIi8HIqqqII', 'PERF'.encode('utf-16-le'), 1, 1, 1,
                           head + len(body), head, len(objects), at(3010), *utc, 0, time, SECOND, time,
                           len(name), 88) + name) + body


def title_list(texts):
    return (''.join(f'{index}\0{text}\0' for index, text in texts) + '\0').encode('utf-16-le')


def titles(computer):
    """Return only the titles of the computer's own objects, as in a saved recording."""
    named = sorted((TITLES | (LATENCY_TITLES if computer.has_latency else {}) |
                    (DEVICE_TITLES if computer.has_devices else {})).items())
    names = title_list((at(index), name) for index, (name, _) in named)
    helps = title_list((at(index) + 1, text) for index, (_, text) in named)
    return struct.pack('<8sIIII', b'PrfTitle', 1, len(names), len(helps), 0) + names + helps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file')
    parser.add_argument('--samples', type=int, default=120)
    parser.add_argument('--sessions', type=int, default=40)
    parser.add_argument('--latency', action='store_true')
    parser.add_argument('--devices', action='store_true')
    parser.add_argument('--from', dest='first', type=int, default=0)
    parser.add_argument('--moved', type=int, default=0)
    options = parser.parse_args()
    global moved
    moved = options.moved
    computer = Computer(options.sessions, options.latency, options.devices)
    with open(options.file, 'wb') as file:
        for second in range(options.samples):
            computer.advance(second)
            if second < options.first:
                continue
            made = block(computer, second)
            if second == options.first:
                file.write(made + titles(computer))
            else:
                file.write(struct.pack('<8sII', b'PrfBlock', 1, len(made)) + made)


main()
