// The ruling sheet: one page of A4 for every figure of 1999, with nothing cut off.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { longGame } from './games.mjs';
import { LANGUAGES, bare, browser, judge, open, paste, printed, service } from './harness.mjs';

let qili;
let chrome;
before(async () => { [qili, chrome] = [await service(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

/// What sticks out of the page or of its own box.
const cut = (page) => page.evaluate(() => {
  const sheet = document.querySelector('.page');
  const edge = sheet.getBoundingClientRect();
  const faults = [];
  if (sheet.scrollHeight > sheet.clientHeight + 1 || sheet.scrollWidth > sheet.clientWidth + 1) faults.push('the page overflows');
  for (const node of sheet.querySelectorAll('p, h1, span, b, em, small, input, svg, label')) {
    const box = node.getBoundingClientRect();
    if (box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 1 || box.bottom > edge.bottom + 1) faults.push(node.outerHTML.slice(0, 80));
    if (node.matches('input') && node.scrollWidth > node.clientWidth + 1) faults.push(`${node.value} does not fit`);
  }
  return faults;
});

for (const language of LANGUAGES) {
  test(`every figure of 1999 fits one page with nothing cut off (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language });
    const { cases } = await qili.get('v1/cases?book=cxa-1999');
    const figures = cases.filter((one) => one.id.startsWith('cxa-1999'));
    assert.equal(figures.length, 16);
    for (const one of figures) {
      const tags = '[Event "全国象棋甲级联赛（常规赛）"]\n[Round "第十二轮"]\n[Table "3"]\n[Red "北京队 王某某"]\n[Black "上海队 李某某"]';
      await paste(page, `${tags}\n[FEN "${one.fen}"]\n\n${one.moves.join(' ')} *\n`);
      await judge(page);
      const ruling = await qili.post('v1/rulings', { fen: one.fen, moves: one.moves, explain: 'full' });
      await page.click('.verdict .primary');
      await page.waitForSelector('.page');
      assert.deepEqual(await cut(page), [], one.id);
      const size = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('.page .grounds p')).fontSize));
      assert.ok(size >= 8, `${one.id}: letters of ${size} px`);
      const text = bare(await printed(page, `${one.id}-${language}`));
      const parts = ['裁决书', 'Ruling', '赛事Event', '轮次Round', '台次Table', '红方Red', '黑方Black', '裁判Arbiter', ruling.verdict.reason.zh, ruling.verdict.reason.en, one.fen, ...ruling.verdict.clauses];
      for (const move of ruling.moves) parts.push(move.chinese, move.iccs, ...move.clauses);
      for (const part of parts) assert.ok(text.includes(bare(part)), `${one.id}: “${part}” is not on the sheet`);
      const side = { red: ['红方', 'Red'], black: ['黑方', 'Black'] }[ruling.verdict.side] || ['', ''];
      const [zh, en] = { draw: ['和棋', 'Draw'], loss: [`${side[0]}判负`, `${side[1]} loses`], must_change: [`${side[0]}变着`, `${side[1]} must change`] }[ruling.verdict.outcome];
      assert.ok(text.includes(bare(zh)) && text.includes(bare(en)), `${one.id}: the verdict in both languages`);
      await page.click('.sheet-actions button:first-child');
      await page.waitForSelector('.arbiter .verdict');
      await page.click('.entry button:last-of-type');
    }
    await close();
  });
}

test('long cycles fit one page, too', async () => {
  const { page, close } = await open(chrome, qili.url);
  const { cases } = await qili.get('v1/cases');
  const longest = cases.filter((one) => one.moves.length > 8).sort((a, b) => b.moves.length - a.moves.length).slice(0, 4);
  assert.ok(longest.length > 0);
  for (const one of longest) {
    await paste(page, `${one.fen} ${one.moves.join(' ')}`);
    await page.selectOption('.entry select', one.book in one.expect ? one.book : 'cxa-2020');
    await judge(page);
    await page.click('.verdict .primary');
    await page.waitForSelector('.page');
    assert.deepEqual(await cut(page), [], one.id);
    await printed(page, one.id);
    await page.click('.sheet-actions button:first-child');
    await page.waitForSelector('.arbiter .verdict');
    await page.click('.entry button:last-of-type');
  }
  await close();
});

test('the event can be written on the sheet and is kept', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'en' });
  await paste(page, '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w f0e0 e8f8 e0f0 f8e8');
  await judge(page);
  await page.click('.verdict .primary');
  await page.fill('.blank input >> nth=0', 'Open of the City');
  await page.fill('.blank input >> nth=4', 'Black, B.');
  const text = bare(await printed(page, 'written'));
  assert.ok(text.includes('Black,B.') && text.includes('OpenoftheCity'));
  await page.reload();
  await page.waitForSelector('.entry textarea');
  assert.match(await page.evaluate(() => localStorage.getItem('qili.entry')), /Open of the City/);
  await close();
});

test('the sheet is read on a phone without scrolling sideways, and printed as A4 from there', async () => {
  for (const language of LANGUAGES) {
    const { page, close } = await open(chrome, qili.url, { language, size: 'phone' });
    const { cases } = await qili.get('v1/cases?book=cxa-1999');
    for (const one of cases.filter((one) => one.id.startsWith('cxa-1999'))) {
      await paste(page, `${one.fen} ${one.moves.join(' ')}`);
      await judge(page);
      await page.click('.verdict .primary');
      await page.waitForSelector('.page');
      const faults = await page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        const out = [...document.querySelectorAll('.page, .page *, .sheet-actions *')].filter((node) => {
          const box = node.getBoundingClientRect();
          return box.width > 0 && (box.left < -1 || box.right > width + 1);
        });
        const small = [...document.querySelectorAll('.page p, .page small')].filter((node) => parseFloat(getComputedStyle(node).fontSize) < 12);
        return [document.documentElement.scrollWidth - width, ...[...out, ...small].map((node) => node.outerHTML.slice(0, 80))];
      });
      assert.deepEqual(faults, [0], one.id);
      const text = bare(await printed(page, `phone-${one.id}-${language}`));
      assert.ok(text.includes(bare(one.fen)), one.id);
      await page.click('.sheet-actions button:first-child');
      await page.waitForSelector('.arbiter .verdict');
      await page.click('.entry button:last-of-type');
    }
    await close();
  }
});

test('a score sheet that has reached the natural limit is printed with the count', async () => {
  const { page, close } = await open(chrome, qili.url);
  const moves = longGame(600);
  await paste(page, moves.join(' '));
  await judge(page);
  await page.waitForSelector('.limit-line b');
  const audit = await qili.post('v1/games:audit', { moves, explain: 'none' });
  assert.match(await page.textContent('.limit-line'), new RegExp(`${audit.natural_limit.count} / 60 回合：已达`));
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  assert.deepEqual(await cut(page), []);
  const text = bare(await printed(page, 'limit'));
  for (const part of [`${audit.natural_limit.count} / 60 回合`, ...audit.limit_claims.red.zh, ...audit.limit_claims.black.en]) assert.ok(text.includes(bare(part)), part);
  await close();
});
