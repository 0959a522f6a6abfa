// The page that judges by itself: with no service at all, with the network cut, and beside a service.
//
// Needs the module: `JUDGE` names it. Not among the other tests of the page, which have none.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, SIZES, UNREACHABLE, bare, browser, open, printed, run, service } from './harness.mjs';

const { JUDGE, QILI_BINARY: BINARY } = process.env;
assert.ok(JUDGE, 'JUDGE names the module of the judge');
const TEXT = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6 车五平四 将6平5';
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', png: 'image/png', wasm: 'application/wasm', txt: 'text/plain; charset=utf-8', webmanifest: 'application/manifest+json' };

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
/// The page is kept at hand, and what it loads from now on comes from there.
async function installed(page) {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.waitForLoadState('networkidle');
}
const state = async (page) => /page\/([0-9a-f]{16})\//.exec(await page.content())[1];
/// The names of the states that are kept at hand.
const atHand = (page) => page.evaluate(async () => (await caches.keys()).map((name) => name.split(' ').pop()));

/// Waits until something is so, for as long as a slow machine may need.
async function until(what, so) {
  for (const end = Date.now() + 180000; !(await so());) {
    assert.ok(Date.now() < end, `never: ${what}`);
    await new Promise((done) => { setTimeout(done, 100); });
  }
}

const WORDS = {
  zh: { loses: '红方判负', on: '进一着', start: '到开头', alone: /不连服务/, move: '车四平五', opening: '炮二平五', needs: /须有 qili 服务/, pages: ['裁决'], verified: /已核验（此浏览器自行）：4着/, sheet: '证书已核验' },
  en: { loses: 'Red loses', on: 'one on', start: 'to the start', alone: /without a service/, move: 'f0–e0', opening: 'h2–e2', needs: /need a qili service/, pages: ['Rule'], verified: /Verified by this browser itself: 4 moves/, sheet: 'certificate verified' },
};

for (const size of Object.keys(SIZES)) {
  for (const language of LANGUAGES) {
    const words = WORDS[language];
    test(`with no service and the network cut it is opened, rules, steps, and prints (${size}, ${language})`, async () => {
      const { page, context, close } = await open(chrome, site, { size, language });
      await installed(page);
      await context.setOffline(true);
      await page.reload();
      await page.waitForSelector('.entry textarea');
      await ruled(page, TEXT, words.loses);
      assert.match(await page.textContent('.arbiter .verdict'), /24\.1/);
      await page.waitForSelector('.certificate.good');
      assert.match(await page.textContent('.certificate'), words.verified);
      await page.click(`.tools button[aria-label="${words.start}"]`);
      const first = await page.textContent('.status');
      await page.click(`.tools button[aria-label="${words.on}"]`);
      await page.waitForFunction((first) => document.querySelector('.status').textContent !== first, first);
      await page.waitForSelector('.evidence .moves, .evidence table');
      await page.locator('.verdict .actions .primary').click();
      await page.waitForSelector('.sheet-view');
      const sheet = bare(await printed(page, `alone-${size}-${language}`));
      assert.ok(sheet.includes(bare(words.loses)), sheet);
      assert.ok(sheet.includes(words.move), sheet);
      assert.ok(sheet.includes(bare(words.sheet)), sheet);
      await close();
    });

    test(`without a service what only a service has is not offered, and that is said (${size}, ${language})`, async () => {
      const { page, close } = await open(chrome, site, { size, language });
      assert.deepEqual(await page.locator('nav a').allTextContents(), words.pages);
      assert.match(await page.textContent('footer'), words.alone);
      await page.goto(`${site}#cases`);
      await page.waitForFunction((needs) => new RegExp(needs).test(document.querySelector('main').textContent), words.needs.source);
      await page.goto(`${site}#`);
      await page.setInputFiles('.files input[type=file]', [{ name: 'a.pgn', mimeType: '', buffer: Buffer.from([...Buffer.from('[Red "'), 0xbc, 0xd7, ...Buffer.from('"]\n\n1. '), 0xc5, 0xda, 0xb6, 0xfe, 0xc6, 0xbd, 0xce, 0xe5, 0x20, 0x2a, 0x0a]) }]);
      await page.waitForFunction((opening) => document.querySelector('.record').textContent.includes(opening), words.opening);
      await page.fill('.entry textarea', '炮二平五 马8进3');
      await page.waitForSelector('#fault');
      await close();
    });
  }
}

test('beside a service the page rules while it is away, and keeps nothing of it there', async () => {
  const qili = await service(0, '--judge', JUDGE);
  const { page, close } = await open(chrome, qili.url, { allowed: UNREACHABLE });
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

/// A page of another state, made of the module and a section that says nothing.
async function newer(dir, name) {
  const other = join(folder, 'other.wasm');
  writeFileSync(other, Buffer.concat([readFileSync(JUDGE), Buffer.from([0, 2, 1, name.charCodeAt(0)])]));
  await run(BINARY, ['page', dir, '--judge', other]);
}

test('a newer page takes the place of the one at hand, whose files go', async () => {
  const { page, context, close } = await open(chrome, site);
  await installed(page);
  const before = await state(page);
  assert.deepEqual(await atHand(page), [before]);
  await newer(join(folder, 'site'), 'x');
  // Where the network is slow the page at hand is shown, as it is meant to be.
  await until('the newer page is shown', async () => { await page.reload(); return (await state(page)) !== before; });
  const now = await state(page);
  await until('the newer page alone is at hand', async () => String(await atHand(page)) === now);
  // Nor does what the page asks afterwards bring the other back.
  await page.reload();
  await page.waitForSelector('.entry textarea');
  assert.deepEqual(await atHand(page), [now]);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('.entry textarea');
  assert.equal(await state(page), now);
  await ruled(page, TEXT, '红方判负');
  await close();
});

test('a page that is laid half is not kept at hand', async () => {
  const { page, context, close } = await open(chrome, site, { allowed: /ServiceWorker|service worker/ });
  await installed(page);
  const before = await state(page);
  const index = join(folder, 'site', 'index.html');
  const was = readFileSync(index);
  await newer(join(folder, 'site'), 'y');
  const whole = readFileSync(index);
  writeFileSync(index, was);
  const failed = await page.evaluate(async () => {
    const found = await navigator.serviceWorker.ready;
    const worker = await new Promise((done) => {
      found.addEventListener('updatefound', () => done(found.installing), { once: true });
      found.update().catch(() => {});
    });
    await new Promise((done) => {
      const seen = () => { if (worker.state === 'redundant') done(); };
      worker.addEventListener('statechange', seen);
      seen();
    });
    return worker.state;
  });
  assert.equal(failed, 'redundant');
  assert.deepEqual(await atHand(page), [before]);
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('.entry textarea');
  assert.equal(await state(page), before);
  await context.setOffline(false);
  // As soon as it is whole, it is taken.
  writeFileSync(index, whole);
  await page.reload();
  await until('the whole page is at hand', async () => { const names = await atHand(page); return names.length === 1 && names[0] !== before; });
  await close();
});

test('the published cases are ruled on in the worker of the page as by the command, and how long that takes', async () => {
  const { page, close } = await open(chrome, site);
  const { stdout } = await run('python3', [new URL('../../bindings/case_requests.py', import.meta.url).pathname], { maxBuffer: 1 << 28 });
  const requests = stdout.split('\n').filter((line) => line.includes('"explain": "notes"'));
  assert.ok(requests.length > 100);
  const found = await page.evaluate(async ({ requests, state }) => {
    const { post } = await import(new URL(`page/${state}/api.js`, location.href).href);
    const found = [];
    for (const request of requests) {
      const from = performance.now();
      const ruling = await post('/v1/rulings', JSON.parse(request));
      found.push({ ruling, time: performance.now() - from });
    }
    return found;
  }, { requests, state: await state(page) });
  await close();
  const from = performance.now();
  const said = spawnSync(BINARY, ['judge', '--format', 'ndjson'], { input: `${requests.join('\n')}\n`, maxBuffer: 1 << 30 }).stdout.toString();
  const native = performance.now() - from;
  assert.deepEqual(found.map((one) => one.ruling), said.trim().split('\n').map((line) => JSON.parse(line)));
  const times = found.map((one) => one.time).sort((a, b) => a - b);
  const whole = times.reduce((sum, one) => sum + one, 0);
  console.log(`${times.length} rulings in the worker of the page: ${(whole / times.length * 1000).toFixed(0)} µs each (median ${times[times.length >> 1].toFixed(1)} ms, `
    + `99 % ${times[Math.floor(times.length * 0.99)].toFixed(0)} ms, most ${times.at(-1).toFixed(0)} ms, ${times.filter((one) => one > 100).length} over 100 ms), `
    + `the command ${(native / times.length * 1000).toFixed(0)} µs each, ${(whole / native).toFixed(2)} times as long`);
});

test('the page can be installed as an app', async () => {
  const { page, close } = await open(chrome, site);
  await installed(page);
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // What a window that is nobody's has against it.
  assert.deepEqual(installabilityErrors.filter((one) => one.errorId !== 'in-incognito'), []);
  const { errors, data } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.equal(JSON.parse(data).display, 'standalone');
  await close();
});
