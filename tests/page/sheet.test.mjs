// The ruling sheet: one page of A4 for every figure of 1999, with nothing cut off.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { longGame } from './games.mjs';
import jsQR from 'jsqr';
import { LANGUAGES, bare, browser, certified, judge, open, paste, printed, service, storing } from './harness.mjs';

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

const MODES = { zh: ['zh', 0], en: ['en', 1], both: ['zh', 2] };
const LABELS = {
  zh: ['裁决书', '赛事', '轮次', '台次', '红方', '黑方', '单位', '日期', '裁判', '裁判长'],
  en: ['Ruling', 'Event', 'Round', 'Table', 'Red', 'Black', 'Organiser', 'Date', 'Arbiter', 'Chief arbiter'],
};

// In a hurry, in one language and in both.
const modes = Object.entries(MODES).filter(([mode]) => !process.env.QILI_QUICK || mode !== 'en');
for (const [mode, [language, at]] of modes) {
  test(`every figure of 1999 fits one page with nothing cut off (${mode})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language });
    const { cases } = await qili.get('v1/cases?book=cxa-1999');
    const figures = cases.filter((one) => one.id.startsWith('cxa-1999'));
    assert.equal(figures.length, 16);
    for (const one of figures) {
      const tags = '[Event "全国象棋甲级联赛（常规赛）"]\n[Round "第十二轮"]\n[Table "3"]\n[Red "北京队 王某某"]\n[Black "上海队 李某某"]';
      await paste(page, `${tags}\n[FEN "${one.fen}"]\n\n${one.moves.join(' ')} *\n`);
      await judge(page);
      const ruling = await qili.post('v1/rulings', { fen: one.fen, moves: one.moves, explain: 'full' });
      await certified(page);
      await page.click('.verdict .primary');
      await page.waitForSelector('.page');
      await page.click(`.languages button >> nth=${at}`);
      assert.deepEqual(await cut(page), [], one.id);
      const size = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('.page .grounds p')).fontSize));
      assert.ok(size >= (mode === 'both' ? 8 : 10.6), `${one.id}: letters of ${size} px`);
      const text = bare(await printed(page, `${one.id}-${mode}`));
      const parts = [one.fen.split(' ').slice(0, 2).join(' '), ...ruling.verdict.clauses];
      const [zh, en] = [mode !== 'en', mode !== 'zh'];
      if (zh) parts.push(...LABELS.zh, ruling.verdict.reason.zh);
      // Where there is little room a label takes two lines, and what stands beside it comes between.
      if (en) parts.push(...LABELS.en.flatMap((label) => label.split(' ')), ruling.verdict.reason.en);
      for (const move of ruling.moves) {
        parts.push(...move.clauses);
        if (zh) parts.push(move.chinese);
        if (en) parts.push(mode === 'both' ? move.iccs : `${move.iccs.slice(0, 2)}–${move.iccs.slice(2)}`.replace('–', ''));
      }
      const seen = text.replaceAll('–', '').replaceAll('×', '');
      for (const part of parts) assert.ok(seen.includes(bare(part)), `${one.id}: “${part}” is not on the sheet`);
      const side = { red: ['红方', 'Red'], black: ['黑方', 'Black'] }[ruling.verdict.side] || ['', ''];
      const [inZh, inEn] = { draw: ['和棋', 'Draw'], loss: [`${side[0]}判负`, `${side[1]} loses`], must_change: [`${side[0]}变着`, `${side[1]} must change`] }[ruling.verdict.outcome];
      assert.equal(text.includes(bare(inZh)), zh, `${one.id}: Chinese`);
      assert.equal(text.includes(bare(inEn)), en, `${one.id}: English`);
      if (mode === 'zh') assert.equal(await page.evaluate(() => /[a-i][0-9]/.test([...document.querySelectorAll('.page .cycle, .page .grounds')].map((node) => node.innerText).join(' '))), false, `${one.id}: points that the board does not name`);
      await page.click('.sheet-actions button:first-child');
      await page.waitForSelector('.arbiter .verdict');
      await page.click('.entry button:last-of-type');
    }
    await close();
  });
}

test('reasons stand on the sheet as long as there is room for them', async () => {
  const { page, close } = await open(chrome, qili.url);
  for (const id of ['wxf-d080-a', 'cxa-1999-13', 'cxa-2020-fig-23']) {
    const one = await qili.get(`v1/cases/${id}`);
    await paste(page, `${one.fen} ${one.moves.join(' ')}`);
    await page.selectOption('.entry select', one.source.book);
    await judge(page);
    await certified(page);
    await page.click('.verdict .primary');
    await page.waitForSelector('.page');
    const told = await page.evaluate(() => ({ moves: document.querySelectorAll('.cycle > p:not(.left-out)').length, reasons: document.querySelectorAll('.cycle small').length, size: parseFloat(getComputedStyle(document.querySelector('.page')).fontSize) }));
    assert.equal(told.reasons, told.moves, `${id}: ${JSON.stringify(told)}`);
    assert.ok(told.size >= 10.6, `${id}: letters of 8 points and more, ${told.size} px`);
    await page.click('.sheet-actions button:first-child');
    await page.waitForSelector('.arbiter .verdict');
    await page.click('.entry button:last-of-type');
  }
  await close();
});

/// What a camera reads off the code of a sheet.
async function read(page) {
  const { size, path } = await page.evaluate(() => ({ size: document.querySelector('.code').viewBox.baseVal.width, path: document.querySelector('.code path').getAttribute('d') }));
  const scale = 4;
  const side = size * scale;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1/g)) {
    for (let dy = 0; dy < scale; dy += 1) for (let dx = 0; dx < scale; dx += 1) data.fill(0, 4 * (((Number(y) + 2) * scale + dy) * side + (Number(x) + 2) * scale + dx), 4 * (((Number(y) + 2) * scale + dy) * side + (Number(x) + 2) * scale + dx) + 3);
  }
  const found = jsQR(data, side, side);
  return found && found.data;
}

test('the code of a sheet leads to the dispute, or to the ruling that is kept, whose short number finds it again', async () => {
  const own = await storing();
  const { page, close } = await open(chrome, own.url);
  await paste(page, '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w f0e0 e8f8 e0f0 f8e8');
  await judge(page);
  await certified(page);
  await page.click('.verdict .primary');
  await page.waitForSelector('.code');
  const link = await read(page);
  assert.match(link, new RegExp(`^${own.url}#fen=2b6/4k4`));
  await page.click('.sheet-actions button >> text=存档并编号');
  await page.waitForSelector('.page .number b');
  const short = await page.textContent('.page .number b');
  assert.match(short, /^[0-9A-Z]{8}$/);
  const kept = await read(page);
  assert.match(kept, new RegExp(`^${own.url}#ruling=[0-9A-Z]{18}${short}$`));
  assert.ok((await printed(page, 'kept')).includes(short));
  await close();
  for (const address of [link, kept]) {
    const scanned = await open(chrome, own.url, { hash: new URL(address).hash });
    await scanned.page.waitForSelector('.verdict');
    assert.equal(await scanned.page.textContent('.verdict .headline'), '红方判负');
    await scanned.close();
  }
  const found = await open(chrome, own.url, { hash: '#kept' });
  await found.page.fill('.number-field input', short.toLowerCase());
  await found.page.click('form .primary');
  await found.page.waitForSelector('.keeping .number b');
  assert.ok((await found.page.textContent('.keeping .number b')).endsWith(short));
  await found.close();
  await own.stop();
});

test('who signs is remembered, and the sheet has a day', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w f0e0 e8f8 e0f0 f8e8');
  await page.click('.settings summary');
  await page.getByLabel('裁判长').fill('周某');
  await judge(page);
  await certified(page);
  await page.click('.verdict .primary');
  await page.fill('.blank.unit input', '市象棋协会');
  const text = bare(await printed(page, 'officials'));
  assert.ok(text.includes('周某') && text.includes('市象棋协会'), text);
  assert.match(text, /日期20\d\d-\d\d-\d\d/);
  await page.click('.sheet-actions button:first-child');
  await page.click('.entry button:last-of-type');
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('qili.entry')).sheet.unit), '市象棋协会');
  await close();
});

test('long cycles fit one page, too', async () => {
  const { page, close } = await open(chrome, qili.url);
  const { cases } = await qili.get('v1/cases');
  const longest = cases.filter((one) => one.moves.length > 8).sort((a, b) => b.moves.length - a.moves.length).slice(0, 4);
  assert.ok(longest.length > 0);
  for (const one of longest) {
    await paste(page, `${one.fen} ${one.moves.join(' ')}`);
    await page.selectOption('.entry select', one.book in one.expect ? one.book : 'cxa-2020');
    await judge(page);
    await certified(page);
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
  await certified(page);
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
      await certified(page);
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
      assert.ok(text.includes(bare(one.fen.split(' ').slice(0, 2).join(' '))), one.id);
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
  await certified(page);
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  assert.deepEqual(await cut(page), []);
  const text = bare(await printed(page, 'limit'));
  const parts = [...audit.limit_claims.red.zh, ...audit.limit_claims.black.zh].filter((part) => !/第\d+着/.test(part));
  assert.ok(parts.length > 2);
  for (const part of [`${audit.natural_limit.count} / 60 回合`, ...parts]) assert.ok(text.includes(bare(part)), part);
  await close();
});
