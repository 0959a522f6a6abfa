"""Puts functions of a module that are alike next to one another: near.py IN OUT.

What packs looks back no further than 32 kB. The functions are the same, and numbered anew: each is followed by the one that
shares most runs of bytes with those before it, for its length. Data between which few zeros lie are laid down in one piece: zeros
pack better than the places of many pieces.
"""

import subprocess
import sys
from collections import Counter, defaultdict
from itertools import product

# Bytes in a run, and in how many functions it may stand to tell anything.
RUNS = [(5, 120), (5, 60), (6, 120), (6, 60)]
# As many come first as are called most often: their numbers take one byte, where most take two. More of them pack worse.
SHORT = (16, 32)
# What a function before the last one counts, to that after it, and what the beginning of any function takes. Which of all these
# packs best differs from module to module, and is tried out.
WAYS = [(0.5, 200), (0.6, 200), (0.7, 200), (0.8, 200)]
# So many zeros may lie between two pieces of data that become one.
ZEROS = 256


def number(code, at):
    """The number in LEB128 at a place, and where it ends."""
    value = shift = 0
    while True:
        byte = code[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def written(value):
    code = bytearray()
    while value > 127:
        code.append(value & 127 | 128)
        value >>= 7
    code.append(value)
    return bytes(code)


def signed(value):
    """One that is not negative, where the highest bit tells whether it is."""
    code = written(value)
    return code if code[-1] < 64 else code[:-1] + bytes([code[-1] | 128, 0])


def past(code, at, numbers):
    for _ in range(numbers):
        _, at = number(code, at)
    return at


def pieces(body):
    """A function's code, cut at the numbers of functions: code, number, code, …"""
    locals_, at = number(body, 0)
    for _ in range(locals_):
        at = past(body, at, 1) + 1
    cut, last = [], 0
    while at < len(body):
        operation = body[at]
        at += 1
        if operation in (0x10, 0xD2):  # call, ref.func
            cut.append(body[last:at])
            function, at = number(body, at)
            cut.append(function)
            last = at
        elif operation in (0x02, 0x03, 0x04, 0x0C, 0x0D, 0xD0) or 0x20 <= operation <= 0x26 or 0x3F <= operation <= 0x42:
            at = past(body, at, 1)  # blocks, branches, variables, i32.const, i64.const
        elif operation == 0x0E:  # br_table
            targets, at = number(body, at)
            at = past(body, at, targets + 1)
        elif operation == 0x11 or 0x28 <= operation <= 0x3E:  # call_indirect, loads and stores
            at = past(body, at, 2)
        elif operation == 0x1C:  # select with a type
            types, at = number(body, at)
            at += types
        elif operation in (0x43, 0x44):  # f32.const, f64.const
            at += 4 if operation == 0x43 else 8
        elif operation == 0xFC:
            operation, at = number(body, at)
            at = past(body, at, {8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}.get(operation, 0))
        elif operation >= 0xC5:
            sys.exit(f"near.py: operation {operation:#x} is not known")
    cut.append(body[last:])
    return cut


def alike(codes, length, most):
    """Of each function the runs of bytes that others share, but not all."""
    runs = [{code[at : at + length] for at in range(len(code) - length + 1)} for code in codes]
    common = Counter(run for all_ in runs for run in all_)
    return [{run for run in all_ if 1 < common[run] <= most} for all_ in runs]


def in_order(codes, runs, first, fades, each):
    """The numbers of functions, those that are alike next to one another: of these first, then of the others."""
    having = defaultdict(set)
    for function, all_ in enumerate(runs):
        for run in all_:
            having[run].add(function)
    left = set(first)
    later = set(range(len(codes))) - left
    function = max(left, key=lambda one: (len(codes[one]), -one))
    order, shared, weight = [], defaultdict(float), 1.0
    while True:
        order.append(function)
        left.discard(function)
        shared.pop(function, None)
        if not left:
            left, later = later, set()
        if not left:
            return order
        # What is shared with the last one weighs more than what was before it.
        weight /= fades
        if weight > 1e100:
            shared = defaultdict(float, {one: known / weight for one, known in shared.items()})
            weight = 1.0
        for run in runs[function]:
            having[run].discard(function)
            for one in having[run]:
                shared[one] += weight
        near = shared.keys() & left
        if near:
            function = max(near, key=lambda one: (shared[one] / (each + len(codes[one])), -one))
        else:
            function = min(left)


def in_few_pieces(data):
    """The data, those that lie near each other in one piece: `0 i32.const PLACE end LENGTH BYTES` each."""
    count, at = number(data, 0)
    laid = []
    for _ in range(count):
        place, end = number(data, at + 2)
        if data[at : at + 2] != b"\x00\x41" or data[end - 1] & 64 or data[end] != 0x0B:
            sys.exit("near.py: data laid down otherwise are not known")
        length, start = number(data, end + 1)
        at = start + length
        last, piece = laid[-1] if laid else (0, b"")
        zeros = place - last - len(piece)
        if laid and 0 <= zeros <= ZEROS:
            piece.extend(bytes(zeros) + data[start:at])
        else:
            laid.append((place, bytearray(data[start:at])))
    pieces = (b"\x00\x41" + signed(place) + b"\x0b" + written(len(piece)) + piece for place, piece in laid)
    return len(laid), written(len(laid)) + b"".join(pieces)


def reordered(module):
    """The sections of the module, in each of the ways."""
    sections, at = [], 8
    while at < len(module):
        length, start = number(module, at + 1)
        sections.append((module[at], module[start : start + length]))
        at = start + length
    content = dict(sections)
    if 2 in content or 8 in content:
        sys.exit("near.py: a module that imports or starts something is not known")

    laid, content[11] = in_few_pieces(content[11])
    if 12 in content:
        content[12] = written(laid)
    sections = [(kind, content[kind]) for kind, _ in sections]

    count, at = number(content[3], 0)
    types = []
    for _ in range(count):
        type_, at = number(content[3], at)
        types.append(type_)
    _, at = number(content[10], 0)
    functions = []
    for _ in range(count):
        length, at = number(content[10], at)
        functions.append(pieces(content[10][at : at + length]))
        at += length

    calls = Counter(part for cut in functions for part in cut[1::2])
    codes = [b"\xff".join(cut[::2]) for cut in functions]
    for length, most in RUNS:
        runs = alike(codes, length, most)
        for short, way in product(SHORT, WAYS):
            first = [one for one, _ in calls.most_common(short)]
            yield renumbered(sections, types, functions, in_order(codes, runs, first, *way))


def renumbered(sections, types, functions, order):
    """The sections with the functions in this order."""
    content = dict(sections)
    count = len(functions)
    place = {function: at for at, function in enumerate(order)}

    def body(cut):
        code = b"".join(written(place[part]) if isinstance(part, int) else part for part in cut)
        return written(len(code)) + code

    content[3] = written(count) + b"".join(written(types[function]) for function in order)
    content[10] = written(count) + b"".join(body(functions[function]) for function in order)

    exports, count_at = content[7], 0
    count, at = number(exports, count_at)
    told = written(count)
    for _ in range(count):
        length, name = number(exports, at)
        kind = name + length
        index, end = number(exports, kind + 1)
        told += exports[at : kind + 1] + written(place[index] if exports[kind] == 0 else index)
        at = end
    content[7] = told

    # One table, filled by one segment of functions from a place on: `0 i32.const PLACE end`.
    elements = content[9]
    if elements[:3] != b"\x01\x00\x41":
        sys.exit("near.py: a table filled otherwise is not known")
    _, at = number(elements, 3)
    count, start = number(elements, at + 1)
    told, at = elements[:start], start
    for _ in range(count):
        function, at = number(elements, at)
        told += written(place[function])
    content[9] = told
    return b"".join(bytes([kind]) + written(len(content[kind])) + content[kind] for kind, _ in sections)


def packed(module):
    return len(subprocess.run(["gzip", "-9c"], input=module, stdout=subprocess.PIPE, check=True).stdout)


def main():
    source, target = sys.argv[1:]
    with open(source, "rb") as file:
        module = file.read()
    with open(target, "wb") as file:
        file.write(min((module[:8] + sections for sections in reordered(module)), key=packed))


main()
