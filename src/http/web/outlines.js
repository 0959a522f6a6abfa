// The characters on the board as outlines, the same the printed diagrams have: no font is needed.

const outlines = new Map();

/// Reads the file `glyphs.py` wrote: character, em, advance, path.
export async function load(url) {
  const text = await (await fetch(url)).text();
  for (const line of text.split('\n')) {
    const [character, em, , ...path] = line.split(' ');
    if (character && character !== '#') outlines.set(character, { em: Number(em), path: path.join(' ') });
  }
}

export const outline = (character) => outlines.get(character) || { em: 120, path: '' };
