// What an accessibility engine finds: nothing, in both languages, light and dark, on every view.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { LANGUAGES, SIZES, browser, judge, open, paste, storing } from './harness.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let qili;
let chrome;
before(async () => { [qili, chrome] = [await storing(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

async function check(page, where) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  const told = found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.failureSummary.split('\n').slice(1).join(' ')}`).join('\n   ')}`);
  assert.deepEqual(told, [], where);
  assert.ok(found.passes.length > 10);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${where}: wider than the screen by ${wide}`);
}

// Theme, language and screen: with QILI_QUICK=1 each two of them together once, otherwise all three.
const ways = ['light', 'dark'].flatMap((scheme, i) => LANGUAGES.flatMap((language, j) => Object.keys(SIZES).flatMap((size, k) => (
  process.env.QILI_QUICK && (i + j + k) % 2 ? [] : [{ scheme, language, size }]))));

for (const { scheme, language, size } of ways) {
  test(`every view can be used by everyone (${scheme}, ${language}, ${size})`, async () => {
    const { page, close } = await open(chrome, qili.url, { scheme, language, size });
    assert.equal(await page.getAttribute('html', 'lang'), language === 'zh' ? 'zh-Hans' : 'en');
    await check(page, 'entry');
    await page.click('.settings summary');
    await page.click('.tools button[aria-pressed]');
    await page.waitForSelector('.tray');
    await check(page, 'setting up');
    await page.click('.tools button[aria-pressed]');
    await paste(page, 'c4k3/4a4/b4a3/1Np5p/6p2/9/6P2/4B4/r3A4/N2RKA3 w b6c8 a9a8 c8b6');
    await page.waitForSelector('.record li');
    await check(page, 'entered');
    await paste(page, 'c4k3/4a4/b4a3/1Np5p/6p2/9/6P2/4B4/r3A4/N2RKA3 w b6c8 a9a8 c8b6 a8a9');
    await judge(page);
    await page.waitForSelector('.instead');
    await page.waitForSelector('.books tr:nth-child(6) .outcome');
    await page.click('.verdict .chip >> nth=0');
    await page.click('.verdict .actions >> nth=0 >> button >> nth=-1');
    await page.waitForSelector('.keeping .number b');
    await page.click('.keeping button >> nth=0');
    await page.waitForSelector('.naming');
    await check(page, 'ruled');
    await page.click('.verdict .primary');
    await page.waitForSelector('.page');
    await check(page, 'sheet');
    await page.evaluate(() => { location.hash = 'cases'; });
    await page.waitForSelector('.cases svg');
    await check(page, 'library');
    await page.evaluate(() => { location.hash = 'cases=cxa-1999-13'; });
    await page.waitForSelector('.verdict');
    await page.waitForSelector('.books tr:nth-child(6) .outcome');
    await check(page, 'case');
    await page.evaluate(() => { location.hash = 'amend'; });
    await page.waitForSelector('.parameter');
    await page.click('.form summary >> nth=1');
    await page.click('.form summary >> nth=2');
    await page.click('.trial .primary');
    await page.waitForSelector('.compared h3');
    await check(page, 'amendment');
    const id = `${scheme}-${language}-${size}`;
    for (const [at, value] of [[0, id], [1, '杀不为打'], [2, 'Kills do not count'], [3, '试拟'], [4, 'A trial']]) await page.fill(`.grid input >> nth=${at}`, value);
    await page.locator('.parameter', { hasText: 'kill_is_attack' }).locator('select').selectOption('false');
    await page.click('.bar button >> nth=1');
    await page.waitForSelector('.discussion');
    await page.fill('.discussion textarea', '再议 <b>一次</b>');
    await page.click('.discussion form button');
    await page.waitForSelector('.notes li');
    await page.click('.discussion details:nth-of-type(2) .actions button');
    await page.waitForSelector('.change');
    await page.click('.change summary >> nth=0');
    await page.waitForSelector('.change[open] svg');
    await page.click('.discussion details:nth-of-type(3) summary');
    await check(page, 'draft');
    await page.evaluate(() => { location.hash = 'amend'; });
    await page.waitForSelector('.drafts li');
    await page.waitForSelector('.parameter');
    await check(page, 'drafts');
    await page.evaluate(() => { location.hash = 'kept'; });
    await page.waitForSelector('.log .rows li');
    await check(page, 'kept');
    await page.click('.log .rows a >> nth=0');
    await page.waitForSelector('.arbiter .verdict');
    await page.waitForSelector('.books tr:nth-child(6) .outcome');
    await check(page, 'kept ruling');
    await close();
  });
}
