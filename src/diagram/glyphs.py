#!/usr/bin/env python3
"""Writes `glyphs.txt`: the outlines of the characters a diagram shows.

    apt-get install fonts-lxgw-wenkai
    python3 -m venv venv && venv/bin/pip install fonttools
    venv/bin/python src/diagram/glyphs.py [FONT.ttf]

Every line is `character em advance path`: how many units the em has, the advance in them, and the
outline with y pointing down. The origin is the middle of the advance, at half the height of the em
for Chinese characters and of a capital letter for the rest; the characters on pieces are centred
on their ink instead.
"""

import sys
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

FONT = "/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf"
EM_LARGE = 104  # for what is drawn large
EM_SMALL = 64
FLAT = 0.6  # a curve that bends less than this, in units, becomes a line

PIECES = "帥仕相傌俥炮兵將士象馬車砲卒"
PIECES_PLAIN = "帅马车"  # the simplified ones that differ from all of these; 将 stands below
RIVER = "楚河漢界"
NUMERALS = "一二三四五六七八九0123456789abcdefghi"
NATURES = "将杀捉兑献拦跟闲"  # the signs of moves on the page
CAPTIONS_ZH = "红黑方走攻击保护着法目标假根"
CAPTIONS_EN = "Red to move Black to move attack guard line target false root"

HEAD = """\
# Outlines taken from {name}, {version}.
# {copyright}
# Licensed under the SIL Open Font License 1.1, see OFL.txt beside this file.
# Written by glyphs.py, which says what the lines mean.
"""


def contours(font, glyph):
    """Closed lists of segments `[control or None, end]`, each beginning at its `start`."""
    pen = DecomposingRecordingPen(font.getGlyphSet())
    font.getGlyphSet()[glyph].draw(pen)
    found, start, segments = [], None, []
    for operator, points in pen.value:
        if operator == "moveTo":
            start, segments = points[0], []
        elif operator == "lineTo":
            segments.append((None, points[0]))
        elif operator == "qCurveTo":
            if points[-1] is None:  # a contour without a point on the curve
                *controls, _ = points
                start = middle(controls[-1], controls[0])
                segments = []
            else:
                *controls, _ = points
            ends = [middle(a, b) for a, b in zip(controls, controls[1:])]
            ends.append(start if points[-1] is None else points[-1])
            segments.extend(zip(controls, ends))
        elif operator in ("closePath", "endPath"):
            if segments and segments[-1][1] != start:
                segments.append((None, start))
            found.append((start, segments))
        else:
            raise SystemExit(f"a {operator} in a TrueType outline")
    return found


def middle(a, b):
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def off_line(p, a, b):
    """How far `p` is from the segment from `a` to `b`."""
    (px, py), (ax, ay), (bx, by) = p, a, b
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = 0 if length == 0 else max(0, min(1, ((px - ax) * dx + (py - ay) * dy) / length))
    return ((px - ax - t * dx) ** 2 + (py - ay - t * dy) ** 2) ** 0.5


def simplified(start, segments):
    """Nearly straight curves become lines, and points in the middle of a line go."""
    kept, here = [], start
    for control, end in segments:
        if control is not None and off_line(control, here, end) / 2 < FLAT:
            control = None
        if control is None and kept and kept[-1][0] is None:
            before = kept[-2][1] if len(kept) > 1 else start
            if off_line(here, before, end) < FLAT:
                kept.pop()
        kept.append((control, end))
        here = end
    return kept


def number(values):
    """Numbers as SVG lets them be run together."""
    text = ""
    for value in values:
        text += f" {value}" if text and value >= 0 else f"{value}"
    return text


def path(shapes):
    """Relative path data on whole units; each step starts where rounding left the last one."""
    out, last, here = [], "", (0, 0)

    def emit(operator, *values):
        nonlocal last
        text = number(values)
        joined = operator == last or (last == "m" and operator == "l")
        out.append((" " if text[0] != "-" else "") + text if joined else operator + text)
        last = operator

    for start, segments in shapes:
        first = (round(start[0]), round(start[1]))
        emit("m", first[0] - here[0], first[1] - here[1])
        here, mirrored = first, None
        for index, (control, end) in enumerate(segments):
            end = (round(end[0]), round(end[1]))
            dx, dy = end[0] - here[0], end[1] - here[1]
            if control is None:
                mirrored = None
                if index + 1 == len(segments) and end == first:
                    break
                if dx == 0 and dy == 0:
                    continue
                if dy == 0:
                    emit("h", dx)
                elif dx == 0:
                    emit("v", dy)
                else:
                    emit("l", dx, dy)
            else:
                control = (round(control[0]), round(control[1]))
                near = mirrored and max(
                    abs(mirrored[0] - control[0]), abs(mirrored[1] - control[1])
                )
                if mirrored and near <= 1:
                    emit("t", dx, dy)
                    control = mirrored
                else:
                    emit("q", control[0] - here[0], control[1] - here[1], dx, dy)
                mirrored = (2 * end[0] - control[0], 2 * end[1] - control[1])
            here = end
        out.append("z")
        last, here = "z", first
    return "".join(out)


def main():
    font = TTFont(sys.argv[1] if len(sys.argv) > 1 else FONT)
    names, glyphs, cmap = font["name"], font.getGlyphSet(), font.getBestCmap()
    capital = font["OS/2"].sCapHeight / 2
    em_middle = (font["OS/2"].sTypoAscender + font["OS/2"].sTypoDescender) / 2

    lines = [
        HEAD.format(
            name=names.getDebugName(4),
            version=names.getDebugName(5).split(";")[0].lower(),
            copyright=names.getDebugName(0).replace("\r", "").replace("\n", "\n# "),
        )
    ]
    wanted = PIECES + PIECES_PLAIN + RIVER + NATURES + NUMERALS + CAPTIONS_ZH + CAPTIONS_EN.replace(" ", "")
    for character in dict.fromkeys(wanted):
        glyph = cmap[ord(character)]
        em = EM_LARGE if character in PIECES + PIECES_PLAIN + RIVER + NATURES else EM_SMALL
        scale = em / font["head"].unitsPerEm
        advance = glyphs[glyph].width
        x, y = advance / 2, capital if character.isascii() else em_middle
        if character in PIECES + PIECES_PLAIN:
            bounds = BoundsPen(glyphs)
            glyphs[glyph].draw(bounds)
            x0, y0, x1, y1 = bounds.bounds
            x, y = (x0 + x1) / 2, (y0 + y1) / 2

        def place(point, x=x, y=y, scale=scale):
            return ((point[0] - x) * scale, (y - point[1]) * scale)

        shapes = []
        for start, segments in contours(font, glyph):
            moved = [(c and place(c), place(e)) for c, e in segments]
            shapes.append((place(start), simplified(place(start), moved)))
        lines.append(f"{character} {em} {round(advance * scale)} {path(shapes)}\n")
    Path(__file__).with_name("glyphs.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
