// Real records, read in Node and in a browser, and ruled on, as by the command: those of the folder of folders that QILI_RECORDS names.
// And the cycles of the file that QILI_REAL_CYCLES may name, a JSON object a line with `fen` and `moves`.

import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { open } from 'qili';

const { QILI, QILI_RECORDS: FOLDER, QILI_REAL_CYCLES: CYCLES } = process.env;
assert.ok(QILI && FOLDER, 'QILI names the command, QILI_RECORDS the folder of records');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const lines = (text) => text.toString().split('\n').filter(Boolean);
function command(args, input) {
  const { status, stdout, stderr } = spawnSync(QILI, args, { input, maxBuffer: 1 << 30 });
  assert.ok(status === 0 || status === 1, stderr.toString());
  return lines(stdout);
}

const files = readdirSync(FOLDER).map((kind) => join(FOLDER, kind)).filter((path) => statSync(path).isDirectory())
  .flatMap((path) => readdirSync(path).sort().map((name) => join(path, name)));
// What the command makes of them: the games of each, and what is due in them.
const made = files.map((file) => command(['convert', '--to', 'ndjson', file]));
const request = (kind) => (line) => {
  const { fen, moves } = JSON.parse(line);
  return JSON.stringify({ fen, moves, kind });
};
const requests = [...made.flat().map(request('game')), ...(CYCLES ? lines(readFileSync(CYCLES)) : []).map(request('cycle'))];
// What is wrong with one is told by its code.
const coded = (text) => JSON.parse(text).error?.code ?? text;
const rulings = command(['judge', '--format', 'ndjson'], `${requests.join('\n')}\n`).map(coded);
assert.ok(files.length > 0 && requests.length > 0, FOLDER);
// What a form of the judge says of the same, held against that.
function same(listed, ruled) {
  files.forEach((file, n) => {
    const games = listed[n].games.filter((game) => game.fen);
    assert.deepEqual(games.map((game) => game.moves), made[n].map((line) => JSON.parse(line).moves), file);
  });
  assert.deepEqual(ruled, rulings);
  console.log(`${files.length} files, ${made.flat().length} games, ${requests.length} rulings: as by the command`);
}
function told(judge, request) {
  try {
    return judge.ask('judge', request);
  } catch (error) {
    if (!error.code) throw error;
    return error.code;
  }
}

test('real records in Node', async () => {
  const judge = await open();
  same(files.map((file) => judge.list(readFileSync(file))), requests.map((one) => told(judge, one)));
});

test('real records in a browser', async () => {
  const folder = new URL('./node_modules/qili/', import.meta.url);
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer((asked, answer) => {
    const name = asked.url.slice(1);
    const content = name ? readFileSync(/^\d+$/.test(name) ? files[name] : new URL(name, folder)) : '<!doctype html><link rel="icon" href="data:,"><title>qili</title>';
    answer.writeHead(200, { 'content-type': types[name.split('.').pop() || 'html'] || 'application/octet-stream' }).end(content);
  });
  await new Promise((listening) => { server.listen(0, '127.0.0.1', listening); });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS, timeout: 120000 });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { listed, ruled } = await page.evaluate(async ({ count, requests }) => {
      const { openWorker } = await import('/browser.js');
      const judge = openWorker();
      const listed = [];
      for (let n = 0; n < count; n += 1) listed.push(await judge.list(new Uint8Array(await (await fetch(`/${n}`)).arrayBuffer())));
      const ruled = await Promise.all(requests.map((one) => judge.ask('judge', one).catch((error) => error.code || String(error))));
      judge.close();
      return { listed, ruled };
    }, { count: files.length, requests });
    same(listed, ruled);
  } finally {
    await browser.close();
    server.close();
  }
});
