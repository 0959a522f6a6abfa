// How many actions and seconds it takes from the paste to the printed sheet, on a laptop and on a phone
// that is four times slower; and what Lighthouse says of the page on its phone.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { longGame } from './games.mjs';
import { browser, folder, open, service } from './harness.mjs';

const run = promisify(execFile);
const CYCLE = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6 车五平四 将6平5';
const VARIED = `4k4/9/9/9/9/9/9/9/5R3/3K5 w ${Array.from({ length: 4 }, () => 'f1e1 e9f9 e1f1 f9e9').join(' ')} f1g1 e9e8 g1h1 e8e9`;
const TIMES = 5;
const ENTRIES = [['one cycle', CYCLE, false], ['a game of 300 rounds', longGame(600).join(' '), false], ['a game in which a ruling was due', VARIED, true]];

const qili = await service();
const chrome = await browser();
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function once(size, slow, text, due) {
  const { page, context, close } = await open(chrome, qili.url, { size });
  if (slow) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slow });
  await page.evaluate(() => { window.print = () => { window.printed = performance.now(); }; });
  let actions = 0;
  const act = (what) => { actions += 1; return what; };
  const begun = await page.evaluate(() => performance.now());
  await act(page.fill('.entry textarea', text));
  await act(page.click('.entry .primary'));
  await page.waitForSelector('.verdict');
  const ruled = await page.evaluate(() => performance.now());
  if (due) {
    await act(page.click('.due button'));
    await page.waitForSelector('.moves');
  }
  await act(page.keyboard.press('Control+p'));
  await page.waitForFunction(() => window.printed);
  const printed = await page.evaluate(() => window.printed);
  await close();
  return { actions, ruled: (ruled - begun) / 1000, printed: (printed - begun) / 1000 };
}

console.log('| what is pasted | actions | to the ruling, s | to the sheet in the print window, s |\n| --- | ---: | ---: | ---: |');
for (const [device, size, slow] of [['laptop', 'desktop', 0], ['phone, a quarter of the speed', 'phone', 4]]) {
  for (const [name, text, due] of ENTRIES) {
    const found = [];
    for (let n = 0; n < TIMES; n += 1) found.push(await once(size, slow, text, due));
    console.log(`| ${name}, ${device} | ${found[0].actions} | ${median(found.map((one) => one.ruled)).toFixed(2)} | ${median(found.map((one) => one.printed)).toFixed(2)} |`);
  }
}
await chrome.close();

const out = join(folder, 'lighthouse.json');
await run('npx', ['--yes', 'lighthouse@12.8.2', qili.url, '--quiet', '--only-categories=performance', '--form-factor=mobile', '--output=json', `--output-path=${out}`,
  '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'],
{ env: { ...process.env, CHROME_PATH: process.env.CHROMIUM || '/usr/bin/chromium' }, maxBuffer: 1 << 26 });
const { categories, audits, environment } = JSON.parse(readFileSync(out));
console.log(`Lighthouse, phone: ${Math.round(categories.performance.score * 100)}; ${['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'total-byte-weight'].map((name) => `${name} ${audits[name].displayValue}`).join(', ')}; benchmark index ${environment.benchmarkIndex}`);
await qili.stop();
