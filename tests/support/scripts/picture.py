#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compare a window with an earlier picture: tests/support/scripts/picture.py <golden.png>

The standard input is a dump of the window by xwd. Each pixel of the golden picture is the mean of
16 by 16 pixels of the window. Fonts and edges differ between machines, and change these means only
a little. If a part of the window has moved or has another colour, the means differ more, and the
exit code is 1. With --update: write the golden picture. With --dark: exit with 1 if something in
the window is light; nothing is compared. With --rows=<red>,<green>,<blue>: print how many groups of
adjacent rows of pixels, such as the rows of a table, have this colour.
"""
import os
import struct
import sys
import zlib

CELL = 16
MOST_MEAN = 5  # limit for the mean of the cells' differences; the colour that differs most counts
FAR = 40       # a cell with a greater difference has changed
MOST_FAR = 0.015
LIGHT = 110     # a cell is light if all its colours are above this
LEAST_OF_CELL = 30  # a row of pixels has a colour if at least this many of its pixels have it
MOST_LIGHT = 8  # the ticks in the boxes of the legend make up to this many cells light


def read_dump(dump):
    """Return width, height and rows of red, green, blue."""
    words = struct.unpack('>25I', dump[:100])
    header_bytes, width, height, order, bits, row_bytes, colours = (
        words[0], words[4], words[5], words[7], words[11], words[12], words[19])
    if bits != 32:
        sys.exit('picture: not a dump of 32 bits a pixel')
    red, green, blue = (2, 1, 0) if order == 0 else (1, 2, 3)
    start = header_bytes + 12 * colours
    rows = [dump[start + y * row_bytes:][:width * 4] for y in range(height)]
    return width, height, [(row[red::4], row[green::4], row[blue::4]) for row in rows]


def cells_of(width, height, rows):
    made = []
    for top in range(0, height - CELL + 1, CELL):
        line = []
        for left in range(0, width - CELL + 1, CELL):
            line.append(tuple(sum(sum(row[colour][left:left + CELL])
                                  for row in rows[top:top + CELL]) // CELL ** 2
                              for colour in range(3)))
        made.append(line)
    return made


def write_png(path, cells):
    def chunk(kind, content):
        checked = kind + content
        return struct.pack('>I', len(content)) + checked + struct.pack('>I', zlib.crc32(checked))

    rows = b''.join(b'\0' + bytes(value for cell in line for value in cell) for line in cells)
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' +
                   chunk(b'IHDR', struct.pack('>IIBBBBB', len(cells[0]), len(cells), 8, 2, 0, 0, 0)) +
                   chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b''))


def read_png(path):
    """Read a picture that write_png() has written."""
    with open(path, 'rb') as file:
        png = file.read()
    width, height = struct.unpack('>II', png[16:24])
    at, data = 8, b''
    while at < len(png):
        size, kind = struct.unpack('>I4s', png[at:at + 8])
        data += png[at + 8:at + 8 + size] if kind == b'IDAT' else b''
        at += size + 12
    rows = zlib.decompress(data)
    return [[tuple(rows[y * (3 * width + 1) + 1 + 3 * x:][:3]) for x in range(width)]
            for y in range(height)]


def compare(cells, golden):
    if (len(cells), len(cells[0])) != (len(golden), len(golden[0])):
        return f'{len(cells[0])} by {len(cells)} cells, not {len(golden[0])} by {len(golden)}'
    distances = [[max(abs(a - b) for a, b in zip(now, before)) for now, before in zip(line, old)]
                 for line, old in zip(cells, golden)]
    flat = [distance for line in distances for distance in line]
    mean = sum(flat) / len(flat)
    far = [(x, y) for y, line in enumerate(distances) for x, distance in enumerate(line)
           if distance > FAR]
    if mean > MOST_MEAN or len(far) > MOST_FAR * len(flat):
        return (f'a mean difference of {mean:.1f}; {len(far)} of {len(flat)} cells are others, first '
                + ', '.join(f'{x * CELL},{y * CELL}' for x, y in far[:8]))
    return None


def find_light(cells):
    light = [(x, y) for y, line in enumerate(cells) for x, cell in enumerate(line)
             if min(cell) > LIGHT]
    if len(light) > MOST_LIGHT:
        return (f'{len(light)} cells are light, first '
                + ', '.join(f'{x * CELL},{y * CELL}' for x, y in light[:8]))
    return None


def count_rows(rows, colour):
    """Count the groups of adjacent rows with at least LEAST_OF_CELL pixels of the colour."""
    count, before = 0, False
    for row in rows:
        now = sum(pixel == colour for pixel in zip(*row)) >= LEAST_OF_CELL
        count += now and not before
        before = now
    return count


def main():
    for argument in sys.argv[1:]:
        if argument.startswith('--rows='):
            rows = read_dump(sys.stdin.buffer.read())[2]
            print(count_rows(rows, tuple(int(part) for part in argument[7:].split(','))))
            return 0
    update = '--update' in sys.argv
    cells = cells_of(*read_dump(sys.stdin.buffer.read()))
    if '--dark' in sys.argv:
        light = find_light(cells)
        if light:
            print(light)
        return 1 if light else 0
    path = [argument for argument in sys.argv[1:] if argument != '--update'][0]
    if update:
        write_png(path, cells)
        return 0
    if not os.path.exists(path):
        sys.exit(f'picture: {path} is not there')
    difference = compare(cells, read_png(path))
    if difference:
        print(difference)
    return 1 if difference else 0


sys.exit(main())
