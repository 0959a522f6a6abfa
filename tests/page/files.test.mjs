// Files of games: picked, dropped anywhere, pasted outside the box; a list with search.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, judge, open, service } from './harness.mjs';

let qili;
let chrome;
before(async () => { [qili, chrome] = [await service(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

const CHECKS = '[Event "联赛"]\n[Red "甲一"]\n[Black "乙二"]\n[Result "1/2-1/2"]\n[FEN "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"]\n\n'
  + `${'1. f0e0 e8f8 2. e0f0 f8e8 '.repeat(3)}1/2-1/2\n==========\n`;
const OPENING = '[Event "表演"]\n[Red "丙三"]\n[Black "丁四"]\n\n1. 炮二平五 马8进7 1-0\n\n';
const listed = (page) => page.locator('.files li button b').allTextContents();

/// XQF of version 10: 炮二平五, the rest of the header empty.
function xqf() {
  const file = Buffer.alloc(1024 + 16);
  file.write('XQ\n', 'latin1');
  const squares = [0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83];
  squares.forEach((square, i) => { file[16 + i] = square; file[32 + i] = square - (square % 10) + 9 - (square % 10); });
  file.set([24, 32, 0xF0, 0, 0, 0, 0, 0, 24 + 72, 32 + 42, 0, 0, 0, 0, 0, 0], 1024);
  return file;
}

test('a file that is picked shows its games with search, and one of them is ruled on', async () => {
  const { page, close } = await open(chrome, qili.url);
  const buffer = Buffer.from(OPENING + CHECKS);
  await page.setInputFiles('.files input[type=file]', [{ name: 'games.pgn', mimeType: '', buffer }]);
  await page.waitForSelector('.files li');
  assert.deepEqual(await listed(page), ['丙三 – 丁四', '甲一 – 乙二']);
  await page.fill('.files input[type=search]', '联赛 乙');
  assert.deepEqual(await listed(page), ['甲一 – 乙二']);
  await page.click('.files li button');
  assert.equal(await page.locator('.files dialog[open]').count(), 0);
  await page.waitForSelector('.record li:nth-child(12)');
  await judge(page);
  assert.match(await page.textContent('.arbiter .verdict'), /红/);
  await close();
});

test('a file of one game opens at once, whatever it is', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'en' });
  await page.setInputFiles('.files input[type=file]', [{ name: 'a.dat', mimeType: '', buffer: xqf() }]);
  await page.waitForSelector('.record li');
  assert.match(await page.textContent('.record'), /cannon h2–e2/);
  assert.equal(await page.locator('.files dialog[open]').count(), 0);
  await close();
});

test('files are dropped anywhere, and what is no record is told', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'en', allowed: /422/ });
  const drop = (name, text) => page.evaluate(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    document.querySelector('footer, main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, text]);
  await drop('games.pgn', OPENING + CHECKS);
  await page.waitForSelector('.files li:nth-child(2)');
  await drop('paper.pdf', '%PDF-1.7');
  await page.waitForSelector('.entry .fault');
  assert.match(await page.textContent('.entry .fault'), /paper\.pdf: this looks like a PDF document/);
  await close();
});

test('what is pasted outside the box is read all the same', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', '1. 炮二平五 马8进7');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector('.record li:nth-child(2)');
  assert.match(await page.textContent('.record'), /马8进7/);
  await close();
});

test('the list stays while its games are ruled on, and what is dropped on a ruling is taken', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.setInputFiles('.files input[type=file]', [{ name: 'games.pgn', mimeType: '', buffer: Buffer.from(OPENING + CHECKS) }]);
  await page.click('.files li button >> nth=1');
  await page.waitForSelector('.record li:nth-child(12)');
  await judge(page);
  await page.click('text=另裁一局');
  await page.click('.files .link');
  await page.click('.files li button >> nth=0');
  await page.waitForSelector('.record li:nth-child(2)');
  await judge(page);
  const taken = await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'a.pgn'));
    const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  }, CHECKS);
  assert.ok(taken, 'the browser does not leave the page for it');
  await page.waitForSelector('.record li:nth-child(12)');
  assert.equal(await page.locator('.verdict').count(), 0);
  await close();
});

test('a file that is still read when something else is ruled on is not lost, nor is what its record says mixed with another', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.fill('.entry textarea', '[Event "杯赛"]\n[Round "3"]\n[Date "2020.01.01"]\n[Red "甲"]\n[Result "0-1"]\n\n1. 兵三进一 卒7进1 0-1');
  await page.waitForSelector('.record li:nth-child(2)');
  let go = () => {};
  await page.route('**/v1/games:list', async (route) => { await new Promise((done) => { go = done; }); await route.continue(); });
  const asked = page.waitForRequest('**/v1/games:list');
  await page.setInputFiles('.files input[type=file]', [{ name: 'a.pgn', mimeType: '', buffer: Buffer.from(CHECKS) }]);
  await asked;
  await judge(page);
  go();
  await page.waitForSelector('.record li:nth-child(12)');
  const download = page.waitForEvent('download');
  await page.click('text=导出PGN');
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
  const heads = Buffer.concat(chunks).toString().split('\n').filter((line) => line.startsWith('[') && !line.startsWith('[FEN'));
  assert.deepEqual(heads, ['[Game "Chinese Chess"]', '[Event "联赛"]', '[Date "????.??.??"]', '[Round "?"]', '[Red "甲一"]', '[Black "乙二"]', '[Result "1/2-1/2"]']);
  await close();
});
