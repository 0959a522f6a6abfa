// A service of its own, a browser, and pages that must not complain.

import assert from 'node:assert/strict';
import { spawn, execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const BINARY = process.env.QILI_BINARY;
assert.ok(BINARY, 'QILI_BINARY names the program');
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
export const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };
export const LANGUAGES = ['zh', 'en'];
export const run = promisify(execFile);

/// A folder that goes with the process.
export const folder = mkdtempSync(join(tmpdir(), 'qili-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// What a failed test leaves running would keep this process from ending.
const services = new Set();
const browsers = new Set();
after(async () => {
  for (const child of services) child.kill('SIGKILL');
  await Promise.all([...browsers].map((chrome) => chrome.close()));
});

/// How long anything in the page may take on a slow machine, in milliseconds.
const PATIENCE = 60000;

const free = (port) => new Promise((done) => {
  const probe = createServer();
  probe.once('error', () => done(false));
  probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
});

/// Where free ports are looked for: below those the system gives to callers, so that none of them has it while the service is down, and
/// elsewhere in each process, since several files run at a time.
const FIRST_PORT = 11000 + (process.pid % 1000) * 20;

/// The service, on a free port.
export async function service(at, ...flags) {
  let port = at || FIRST_PORT;
  while (!at && !(await free(port))) port += 1;
  const child = spawn(BINARY, ['serve', '--bind', `127.0.0.1:${port}`, ...flags], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder, env: { ...process.env, QILI_DATABASE: 'none' } });
  services.add(child);
  child.once('exit', () => services.delete(child));
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { told += text; });
  const url = `http://127.0.0.1:${port}/`;
  for (let tries = 0; ; tries += 1) {
    assert.ok(tries < PATIENCE / 50 && child.exitCode === null, `the service does not start: ${told}`);
    // What answers at the port might be another's.
    if (told.includes('"address"')) break;
    await new Promise((done) => { setTimeout(done, 50); });
  }
  return {
    url, port,
    post: async (path, body) => (await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json(),
    get: async (path) => (await fetch(url + path)).json(),
    stop: () => new Promise((done) => {
      if (child.exitCode !== null) return done();
      child.once('exit', done);
      return child.kill('SIGTERM');
    }),
  };
}

let stores = 0;

/// The service with a store of its own.
export function storing() {
  stores += 1;
  const url = `sqlite://${join(folder, `store-${process.pid}-${stores}.db`)}`;
  return service(0, '--database', url).then((started) => ({
    ...started,
    /// What a command says that works on the same store.
    command: async (name, ...rest) => (await run(BINARY, [name, '--database', url, ...rest])).stdout,
  }));
}

export async function browser() {
  const chrome = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 3 * PATIENCE });
  browsers.add(chrome);
  chrome.once('disconnected', () => browsers.delete(chrome));
  return chrome;
}

/// What the browser itself says where nobody answers: whichever of these comes hangs on where a connection was when the service went.
export const UNREACHABLE = /net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/;

/// A page that is watched: what it complains of, and whether anything moved by itself. What the page asks for at an address that is `late`
/// comes when everything else has been there for long.
export async function open(chrome, url, { size = 'desktop', language = 'zh', scheme = 'light', hash = '', allowed, late } = {}) {
  const context = await chrome.newContext({
    viewport: SIZES[size] || size, colorScheme: scheme, hasTouch: size === 'phone', isMobile: size === 'phone', acceptDownloads: true,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !(allowed && allowed.test(message.text()))) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) complaints.push(`asked elsewhere: ${request.url()}`);
  });
  await context.addInitScript((language) => {
    if (localStorage.getItem('qili.language') === null) localStorage.setItem('qili.language', JSON.stringify(language));
    // A browser does not count what moves within half a second of what somebody did. What a service answers to that belongs to it however
    // long the answer takes: a busy machine is no fault of the page.
    const GRACE = 500;
    const done = [];
    const within = (time) => done.some((at) => at <= time && time <= at + GRACE);
    for (const kind of ['pointerdown', 'keydown', 'input', 'change', 'wheel', 'drop', 'paste']) {
      addEventListener(kind, () => done.push(performance.now()), { capture: true, passive: true });
    }
    const ask = window.fetch;
    window.fetch = async (...what) => {
      const asked = within(performance.now());
      try {
        return await ask(...what);
      } finally {
        if (asked) done.push(performance.now());
      }
    };
    // What comes of an answer is drawn when it has been read, and what waits for a pause when that is over, however late.
    const json = Response.prototype.json;
    Response.prototype.json = async function read() {
      const asked = within(performance.now());
      try {
        return await json.call(this);
      } finally {
        if (asked) done.push(performance.now());
      }
    };
    const later = window.setTimeout;
    window.setTimeout = (work, time = 0, ...rest) => {
      const asked = time <= 1500 && within(performance.now());
      return later((...given) => {
        if (asked) done.push(performance.now());
        work(...given);
      }, time, ...rest);
    };
    window.shifts = [];
    const seen = (entries) => {
      for (const entry of entries) {
        if (!entry.hadRecentInput && !within(entry.startTime)) window.shifts.push({ value: entry.value, sources: entry.sources.map((source) => (source.node && source.node.outerHTML ? source.node.outerHTML.slice(0, 120) : '')) });
      }
    };
    const observer = new PerformanceObserver((list) => seen(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    window.moved = () => { seen(observer.takeRecords()); return window.shifts; };
  }, language);
  const delay = (address, time) => page.route(address, async (route) => {
    await new Promise((go) => setTimeout(go, time));
    await route.continue().catch(() => {});
  });
  // QILI_SLOW=700: every answer comes that many milliseconds later, and nothing may depend on it.
  const slow = Number(process.env.QILI_SLOW || 0);
  if (slow) await delay(/\/v1\//, slow);
  if (late) await delay(late, 2500);
  await page.goto(url + hash);
  // Set once the page listens to the window.
  await page.waitForSelector('html[data-light] main');
  const close = async () => {
    const shifts = await page.evaluate(() => window.moved());
    // What a test has put in between may still be about to answer.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    assert.deepEqual(complaints, [], 'the page complains');
    const moved = shifts.reduce((sum, shift) => sum + shift.value, 0);
    assert.ok(moved < 0.01, `the page moves by itself: ${JSON.stringify(shifts)}`);
  };
  return { page, context, close, complaints };
}

/// Pastes a text and waits until it has been read, and is shown: it is kept when it is drawn. What cannot be read now is told.
export async function paste(page, text) {
  const read = page.waitForResponse((one) => one.url().endsWith('/v1/games:read') && one.request().postDataJSON().text === text);
  await page.fill('.entry textarea', text);
  if (!(await read).ok()) return;
  await page.waitForFunction((text) => {
    const kept = JSON.parse(sessionStorage.getItem('qili.entry'));
    return kept.text === text && !kept.unread;
  }, text);
}

/// Waits until a ruling is verified, which its sheet tells.
export const certified = (page) => page.waitForFunction(() => !(document.querySelector('.certificate') || { textContent: '' }).textContent.includes('…'));

export async function judge(page) {
  await page.click('.entry .primary');
  await page.waitForSelector('.arbiter .verdict');
}

/// The page as printed, as text; it must be one sheet of A4.
export async function printed(page, name) {
  const file = join(folder, `${name}.pdf`);
  writeFileSync(file, await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  const { stdout: info } = await run('pdfinfo', [file]);
  assert.match(info, /^Pages:\s+1$/m, `${name}: ${info}`);
  assert.match(info, /^Page size:\s+59\d(\.\d+)? x 84\d(\.\d+)? pts/m, `${name}: ${info}`);
  const { stdout: text } = await run('pdftotext', ['-layout', file, '-'], { maxBuffer: 1 << 24 });
  return text;
}

/// Characters as they are looked for: extraction breaks lines and puts blanks anywhere.
export const bare = (text) => text.normalize('NFKC').replace(/\s+/g, '');
