# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A PNG's pixels, enough to tell a page from a blank one and the dark from the light."""

import struct
import zlib


def pixels(png):
    """Every pixel as a (red, green, blue) triple."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    data, place = b"", 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        chunk = png[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunk)
        elif kind == b"IDAT":
            data += chunk
        place += 12 + length
    channels = {2: 3, 6: 4}[colour]
    assert depth == 8 and not interlaced
    stride = width * channels
    raw, above, found = zlib.decompress(data), bytearray(stride), []
    for row in range(height):
        start = row * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for at in range(stride):
            left = line[at - channels] if at >= channels else 0
            corner = above[at - channels] if at >= channels else 0
            up = above[at]
            if kind == 1:
                line[at] = (line[at] + left) & 255
            elif kind == 2:
                line[at] = (line[at] + up) & 255
            elif kind == 3:
                line[at] = (line[at] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
                line[at] = (line[at] + near) & 255
        found += [tuple(line[at : at + 3]) for at in range(0, stride, channels)]
        above = line
    return found


def brightness(png):
    """The median brightness, 0 to 255."""
    values = sorted(sum(pixel) / 3 for pixel in pixels(png))
    return values[len(values) // 2]


def colours(png):
    return len(set(pixels(png)))
