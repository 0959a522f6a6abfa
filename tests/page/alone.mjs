// The page that judges by itself: with no service at all, with the network cut, and beside a service.
//
// Needs the module: `JUDGE` names it. Not among the other tests of the page, which have none.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser, open, printed, run, service, bare } from './harness.mjs';

const { JUDGE, QILI_BINARY: BINARY } = process.env;
assert.ok(JUDGE, 'JUDGE names the module of the judge');
const TEXT = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6 车五平四 将6平5';
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm', txt: 'text/plain; charset=utf-8', webmanifest: 'application/manifest+json' };

const folder = mkdtempSync(join(tmpdir(), 'qili-alone-'));
let chrome;
let server;
let site;
before(async () => {
  await run(BINARY, ['page', join(folder, 'site'), '--judge', JUDGE]);
  // Any web space: files and their types, nothing else; not at the root of it.
  server = createServer((request, answer) => {
    const path = new URL(request.url, 'http://x').pathname.replace(/^\/halls\/qili\//, '') || 'index.html';
    let content;
    try {
      content = readFileSync(join(folder, 'site', path));
    } catch {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { 'content-type': TYPES[path.split('.').pop()] || 'application/octet-stream' }).end(content);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  site = `http://127.0.0.1:${server.address().port}/halls/qili/`;
  chrome = await browser();
});
after(async () => {
  await chrome.close();
  server.close();
  rmSync(folder, { recursive: true });
});

/// Pastes, rules, and looks at what came out.
async function ruled(page, text, headline) {
  await page.fill('.entry textarea', text);
  await page.waitForSelector('.record li:nth-child(4)');
  await page.click('.entry .primary');
  await page.waitForSelector('.arbiter .verdict');
  assert.equal(await page.textContent('.verdict .headline'), headline);
}
const installed = (page) => page.evaluate(async () => { await navigator.serviceWorker.ready; });

test('with no service and the network cut it is opened, rules, steps, and prints', async () => {
  const { page, context, close } = await open(chrome, site);
  await installed(page);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('.entry textarea');
  await ruled(page, TEXT, '红方判负');
  assert.match(await page.textContent('.arbiter .verdict'), /24\.1/);
  await page.click('button[aria-label="进一着"]');
  await page.click('button[aria-label="到开头"]');
  await page.waitForSelector('.evidence .moves, .evidence table');
  await page.locator('.verdict .actions .primary').click();
  await page.waitForSelector('.sheet-view');
  const sheet = bare(await printed(page, 'alone'));
  assert.ok(sheet.includes('红方判负'), sheet);
  assert.ok(sheet.includes('车四平五'), sheet);
  await close();
});

test('without a service what only a service has is not offered, and that is said', async () => {
  const { page, close } = await open(chrome, site);
  assert.deepEqual(await page.locator('nav a').allTextContents(), ['裁决']);
  assert.match(await page.textContent('footer'), /不连服务/);
  await page.goto(`${site}#cases`);
  await page.waitForFunction(() => /须有 qili 服务/.test(document.querySelector('main').textContent));
  await page.goto(`${site}#`);
  await page.setInputFiles('.files input[type=file]', [{ name: 'a.pgn', mimeType: '', buffer: Buffer.from([...Buffer.from('[Red "'), 0xbc, 0xd7, ...Buffer.from('"]\n\n1. '), 0xc5, 0xda, 0xb6, 0xfe, 0xc6, 0xbd, 0xce, 0xe5, 0x20, 0x2a, 0x0a]) }]);
  await page.waitForFunction(() => /炮二平五/.test(document.querySelector('.record').textContent));
  await page.fill('.entry textarea', '炮二平五 马8进3');
  await page.waitForSelector('#fault');
  await close();
});

test('beside a service the page rules while it is away, and keeps nothing of it there', async () => {
  const qili = await service(0, '--judge', JUDGE);
  const { page, close } = await open(chrome, qili.url, { allowed: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/ });
  const asked = [];
  page.on('request', (request) => { if (request.method() === 'POST') asked.push(new URL(request.url()).pathname); });
  await ruled(page, TEXT, '红方判负');
  assert.deepEqual(asked, []);
  assert.equal(await page.locator('nav a').count(), 4);
  await page.click('nav a >> nth=1');
  await page.waitForSelector('.library li');
  await installed(page);
  await qili.stop();
  await page.goto(qili.url);
  await page.waitForSelector('.entry textarea');
  await ruled(page, TEXT, '红方判负');
  assert.equal(await page.locator('.arbiter .fault').count(), 0);
  await close();
});

test('a newer page takes the place of the one at hand, whose files go', async () => {
  const { page, context, close } = await open(chrome, site);
  await installed(page);
  const state = (text) => /page\/([0-9a-f]{16})\//.exec(text)[1];
  const before = state(await page.content());
  const module = readFileSync(JUDGE);
  const other = join(folder, 'other.wasm');
  // A section that says nothing.
  writeFileSync(other, Buffer.concat([module, Buffer.from([0, 2, 1, 0x78])]));
  await run(BINARY, ['page', join(folder, 'site'), '--judge', other]);
  await page.reload();
  const now = state(await page.content());
  assert.notEqual(now, before);
  await page.evaluate(async (now) => {
    const taken = async () => { const names = await caches.keys(); return names.length === 1 && names[0].endsWith(now); };
    for (let tries = 0; !(await taken()); tries += 1) {
      if (tries > 600) throw new Error(`at hand: ${await caches.keys()}`);
      await new Promise((done) => { setTimeout(done, 50); });
    }
  }, now);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('.entry textarea');
  assert.equal(state(await page.content()), now);
  await close();
});

test('the published cases are ruled on in the page, and how long that takes', async () => {
  const { page, close } = await open(chrome, site);
  const { stdout } = await run('python3', [new URL('../../bindings/case_requests.py', import.meta.url).pathname], { maxBuffer: 1 << 28 });
  const requests = stdout.split('\n').filter((line) => line.includes('"explain": "notes"'));
  assert.ok(requests.length > 100);
  const times = await page.evaluate(async (requests) => {
    const state = /page\/([0-9a-f]{16})\//.exec(document.documentElement.outerHTML)[1];
    const { post } = await import(new URL(`page/${state}/api.js`, location.href).href);
    const times = [];
    for (const request of requests) {
      const from = performance.now();
      await post('/v1/rulings', JSON.parse(request));
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b);
  }, requests);
  console.log(`${times.length} rulings in the page: median ${times[times.length >> 1].toFixed(1)} ms, 99 % ${times[Math.floor(times.length * 0.99)].toFixed(0)} ms, most ${times.at(-1).toFixed(0)} ms, ${times.filter((one) => one > 100).length} over 100 ms`);
  await close();
});

test('what is no module is refused', async () => {
  const file = join(folder, 'no.wasm');
  writeFileSync(file, 'qili');
  await assert.rejects(run(BINARY, ['page', join(folder, 'no'), '--judge', file]), (error) => error.code === 2 && /no WebAssembly module/.test(error.stderr));
  await assert.rejects(run(BINARY, ['page', join(folder, 'no')]), /--judge/);
});
