// The package in a browser: as modules, bundled, in a worker, and with the network cut.

import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { buildSync } from 'esbuild';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const folder = new URL('./node_modules/qili/', import.meta.url);
const requests = readFileSync(process.env.QILI_REQUESTS, 'utf8').split('\n').filter((line) => line.includes('"explain": "notes"'));
const bundle = buildSync({ entryPoints: [new URL('./bundled.js', import.meta.url).pathname], bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'warning' }).outputFiles[0].contents;

// Modules that do not come before one does.
let failing = 0;
const server = createServer((asked, answer) => {
  const name = asked.url.slice(1) || 'index.html';
  let content;
  if (name === 'qili.wasm' && failing > 0) {
    failing -= 1;
    answer.writeHead(503).end();
    return;
  }
  try {
    if (name === 'index.html') content = '<!doctype html><title>qili</title>';
    else content = name === 'bundled.js' ? bundle : readFileSync(new URL(name, folder));
  } catch {
    answer.writeHead(404).end();
    return;
  }
  answer.writeHead(200, { 'content-type': TYPES[name.split('.').pop()], 'content-security-policy': POLICY }).end(content);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS, timeout: 120000 });
test.after(async () => {
  await browser.close();
  server.close();
});

test('every published case with the network cut, to the byte as by the command', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(address);
  await page.evaluate(async () => {
    globalThis.qili = await import('/browser.js');
    globalThis.judge = await qili.open();
    globalThis.far = qili.openWorker();
    await far.version();
  });
  await context.setOffline(true);
  const told = await page.evaluate((asked) => asked.map((one) => {
    const from = performance.now();
    const said = judge.ask('judge', one);
    return [said, performance.now() - from];
  }), requests);
  const said = spawnSync(process.env.QILI, ['judge', '--format', 'ndjson'], { input: `${requests.join('\n')}\n`, maxBuffer: 1 << 30 }).stdout.toString().split('\n').filter(Boolean);
  assert.deepEqual(told.map(([text]) => text), said);
  const times = told.map(([, time]) => time).sort((a, b) => a - b);
  console.log(`Chromium: median ${times[times.length >> 1].toFixed(2)} ms, 99 % ${times[Math.floor(times.length * 0.99)].toFixed(1)} ms, most ${times.at(-1).toFixed(1)} ms; ${times.filter((one) => one > 100).length} of ${times.length} over 100 ms`);
  const far = await page.evaluate(async (asked) => {
    const stop = new AbortController();
    const all = asked.map((one) => globalThis.far.ask('judge', one, { signal: stop.signal }));
    const first = await all[0];
    stop.abort();
    const ended = (await Promise.allSettled(all)).map((one) => one.status);
    return { first, cancelled: ended.filter((one) => one === 'rejected').length };
  }, requests);
  assert.equal(far.first, said[0]);
  assert.ok(far.cancelled > 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test('bundled by esbuild it asks where the module lies', async () => {
  const page = await browser.newPage();
  await page.goto(address);
  const outcome = await page.evaluate(async () => {
    await import('/bundled.js');
    const judge = await qili.open('/qili.wasm');
    let code;
    try { judge.judge({ moves: ['e0e5'] }); } catch (error) { code = error.code; }
    return [judge.judge({ fen: '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w', moves: ['f0e0', 'e8f8', 'e0f0', 'f8e8'] }).verdict.outcome, typeof code];
  });
  assert.deepEqual(outcome, ['loss', 'string']);
  await page.close();
});

test('a worker whose module did not come asks for it again', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  failing = 2;
  const told = await page.evaluate(async () => {
    const { openWorker } = await import('/browser.js');
    const judge = openWorker();
    for (let tries = 1; ; tries += 1) {
      try {
        return [tries, await judge.version()];
      } catch (error) {
        if (tries > 3) return [tries, String(error)];
      }
    }
  });
  assert.doesNotMatch(JSON.stringify(told), /Error/);
});
