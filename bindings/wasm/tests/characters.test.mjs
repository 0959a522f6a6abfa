// Records in GB18030: the module has no table of its own, and reads them by the host's.

import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'qili';

const folder = mkdtempSync(join(tmpdir(), 'qili-characters-'));
test.after(() => rmSync(folder, { recursive: true }));

/** The tags of the games of a file, by the command. */
function commanded(bytes) {
  const file = join(folder, 'game.pgn');
  writeFileSync(file, bytes);
  const done = spawnSync(process.env.QILI, ['convert', '--to', 'pgn', file], { maxBuffer: 1 << 30 });
  return done.stdout.toString();
}

test('names of two and four bytes are read as by the command', async () => {
  const judge = await open();
  const pairs = [];
  for (let one = 0xb0; one <= 0xf7; one += 1) for (let two = 0xa1; two <= 0xfe; two += 1) if (one !== 0xd7 || two < 0xfa) pairs.push(one, two);
  // 㐀 and 𠀀 take four.
  const red = [...pairs.slice(0, 2000), 0x81, 0x39, 0xee, 0x39, 0x95, 0x32, 0x82, 0x36];
  const black = [...pairs.slice(2000, 6000)];
  const event = [0xc1, 0xaa, 0xc8, 0xfc];
  const file = Uint8Array.from([...Buffer.from('[Event "'), ...event, ...Buffer.from('"]\n[Red "'), ...red, ...Buffer.from('"]\n[Black "'), ...black, ...Buffer.from('"]\n\n1. '), 0xc5, 0xda, 0xb6, 0xfe, 0xc6, 0xbd, 0xce, 0xe5, 0x20, 0x2a, 0x0a]);
  const [game] = judge.list(file).games;
  assert.equal(game.event, '联赛');
  assert.ok(game.red.startsWith('啊阿埃') && game.red.endsWith('㐀𠀀'), game.red.slice(-4));
  assert.equal(game.red.length, 1000 + 3);
  assert.equal(game.black.length, 2000);
  const said = commanded(file);
  assert.ok(said.includes(`[Red "${game.red}"]`) && said.includes(`[Black "${game.black}"]`));
  assert.deepEqual(game.moves, ['h2e2']);
});

test('what is neither UTF-8 nor GB18030 is told, and the next file is read', async () => {
  const judge = await open();
  const [bad] = judge.list(Uint8Array.from([0x31, 0x2e, 0x20, 0xff, 0xff, 0x81, 0x0a])).games;
  assert.ok(bad.fault && bad.moves.length === 0, JSON.stringify(bad));
  assert.deepEqual(judge.list(Uint8Array.from([0xc5, 0xda, 0xb6, 0xfe, 0xc6, 0xbd, 0xce, 0xe5])).games[0].moves, ['h2e2']);
});
