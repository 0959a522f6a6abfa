// Entering a dispute on the board: by tray, by drag and tap, by keyboard; long games; the limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES, browser, judge, open, paste, service } from './harness.mjs';
import { longGame } from './games.mjs';

let qili;
let chrome;
before(async () => { [qili, chrome] = [await service(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

const square = (name) => `#board [data-square="${name}"]`;
const letters = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('qili.entry')).fen);

test('moves are played by tap, by drag and by keyboard, and undone', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.click(square('h2'));
  await page.click(square('e2'));
  await page.waitForSelector('.record li:nth-child(1)');
  assert.match(await page.textContent('.record'), /炮二平五/);
  const [from, to] = [await page.locator(square('h9')).boundingBox(), await page.locator(square('g7')).boundingBox()];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 3 });
  await page.mouse.up();
  await page.waitForSelector('.record li:nth-child(2)');
  assert.match(await page.textContent('.record'), /马8进7/);
  await page.focus(square('g7'));
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /红马.*h0/);
  await page.keyboard.press('Enter');
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await page.waitForSelector('.record li:nth-child(3)');
  assert.match(await page.textContent('.record'), /马二进三/);
  await page.click('text=撤销');
  assert.equal(await page.locator('.record li').count(), 2);
  await page.click('text=翻转');
  const [red, black] = [await page.locator(square('e0')).boundingBox(), await page.locator(square('e9')).boundingBox()];
  assert.ok(red.y < black.y, 'the board is turned');
  assert.match(await page.getAttribute(square('g7'), 'aria-label'), /黑马.*g7/);
  await close();
});

test('a move that leaves the king in check is refused', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'en' });
  await paste(page, '4k4/9/4r4/9/9/9/9/4R4/9/4K4 w');
  await page.click(square('e2'));
  // By its own ways the rook has 13.
  await page.waitForFunction(() => document.querySelectorAll('#board circle[r="14"]').length === 5);
  await page.click(square('d2'));
  assert.match(await page.textContent('.status'), /not legal/);
  assert.equal(await page.locator('.record li').count(), 0);
  await close();
});

for (const [size, language] of [['desktop', 'zh'], ['phone', 'en']]) {
  test(`a position is set up from the tray with its faults told as it grows (${size})`, async () => {
    const { page, close } = await open(chrome, qili.url, { size, language });
    await page.click(`text=${language === 'zh' ? '摆子' : 'Set up'}`);
    await page.click(`text=${language === 'zh' ? '清空' : 'Clear'} >> nth=-1`);
    const fault = page.locator('#fault');
    const tray = page.locator('.tray-piece');
    await tray.nth(6).click();
    await page.click(square('e4'));
    await page.click(square('a1'));
    await fault.waitFor();
    assert.match(await fault.textContent(), language === 'zh' ? /兵/ : /pawn/);
    await page.click(`.tray >> text=${language === 'zh' ? '拿掉' : 'Remove'}`);
    await page.click(square('a1'));
    await fault.waitFor({ state: 'detached' });
    const [from, to] = [await tray.nth(4).boundingBox(), await page.locator(square('a0')).boundingBox()];
    if (size === 'desktop') {
      await page.mouse.move(from.x + 10, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(to.x + 20, to.y + 20, { steps: 6 });
      await page.mouse.up();
    } else {
      await tray.nth(4).click();
      await page.click(square('a0'));
    }
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('qili.entry')).fen.includes('R4K3'));
    await page.click(`text=${language === 'zh' ? '摆好了' : 'Done'}`);
    assert.equal(await letters(page), '3k5/9/9/9/9/4P4/9/9/9/R4K3 w');
    await page.click(square('a0'));
    await page.click(square('a5'));
    await page.waitForSelector('.record li');
    await close();
  });
}

for (const language of LANGUAGES) {
  test(`a game of 300 rounds is read, ruled on and its limit counted (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language });
    const moves = longGame(600);
    await paste(page, moves.join(' '));
    await page.waitForSelector('.record li:nth-child(600)');
    await judge(page);
    await page.waitForSelector('.limit .count');
    const audit = await qili.post('v1/games:audit', { moves, explain: 'none' });
    assert.match(await page.textContent('.limit .count'), new RegExp(`^${audit.natural_limit.count} / 60`));
    assert.equal(audit.natural_limit.reached, true);
    for (const side of ['red', 'black']) {
      const at = side === 'red' ? 1 : 2;
      assert.ok((await page.textContent(`.limit details:nth-of-type(${at}) summary`)).includes(String(audit.limit_claims[side].count)));
    }
    await page.click('.limit summary >> nth=0');
    assert.ok((await page.textContent('.limit details p')).length > 10);
    await close();
  });
}

test('checks left out of the natural limit are listed', async () => {
  const { page, close } = await open(chrome, qili.url);
  // Red checks on every move for twenty rounds.
  const moves = Array.from({ length: 20 }, () => ['f0e0', 'e8f8', 'e0f0', 'f8e8']).flat().slice(0, 40);
  await paste(page, `2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w ${moves.join(' ')}`);
  await judge(page);
  await page.waitForSelector('.limit details');
  const summary = await page.textContent('.limit details:nth-of-type(1) summary');
  assert.match(summary, /若由红方提出：10 · 不成立，20着不计/);
  await page.click('.limit summary >> nth=0');
  assert.equal(await page.locator('.limit details:nth-of-type(1) .chip').count(), 20);
  await page.click('.limit details:nth-of-type(1) .chip >> nth=0');
  const listed = page.locator('.limit li button');
  const pending = await listed.count();
  assert.ok(pending > 1);
  await listed.first().click();
  await page.waitForFunction(() => document.querySelector('.verdict .book').textContent.includes('3个循环，局面出现4次'));
  assert.equal(await page.textContent('.verdict .headline'), '红方判负');
  await page.waitForSelector('.limit li');
  assert.equal(await listed.count(), pending, 'the whole game is still at hand');
  await close();
});

test('a position that has stood before can be ruled on as a cycle; settings change the ruling', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w f0e0 e8f8 e0f0 f8e8');
  await page.click('.settings summary');
  await page.selectOption('.settings select >> nth=0', 'game');
  await judge(page);
  assert.equal(await page.textContent('.verdict .headline'), '尚无可裁');
  await page.click('.verdict .plain');
  await page.waitForFunction(() => document.querySelector('.verdict .headline').textContent === '红方判负');
  await close();
});

test('what is undetermined is said plainly, with what is open', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'zh' });
  await page.route('**/v1/rulings', async (route) => {
    const body = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify(body.budget ? body : { ...body, budget: 1 }) });
  });
  const { cases } = await qili.get('v1/cases?book=cxa-1999');
  let open_ = null;
  for (const one of cases) {
    const ruling = await qili.post('v1/rulings', { fen: one.fen, moves: one.moves, kind: one.kind, budget: 1 });
    if (ruling.verdict && ruling.verdict.outcome === 'undetermined') { open_ = one; break; }
  }
  assert.ok(open_, 'a case that a budget of one leaves open');
  await paste(page, `${open_.fen} ${open_.moves.join(' ')}`);
  await judge(page);
  assert.equal(await page.textContent('.verdict .headline'), '未能裁定');
  assert.match(await page.textContent('.open-moves'), /第\d+回合[红黑]方 .+是否为.+未定，可能是/);
  await page.click('.open-moves button');
  await page.waitForFunction(() => document.querySelector('.verdict .headline').textContent !== '未能裁定');
  await close();
});

test('on a phone a cycle is played on the board and ruled on from beneath it', async () => {
  const { page, close } = await open(chrome, qili.url, { size: 'phone' });
  await paste(page, '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w');
  for (const [from, to, count] of [['f0', 'e0', 1], ['e8', 'f8', 2], ['e0', 'f0', 3], ['f8', 'e8', 4]]) {
    await page.click(square(from));
    await page.click(square(to));
    await page.waitForSelector(`.record li:nth-child(${count})`);
  }
  assert.match(await page.textContent('.status'), /回到了起始局面/);
  await page.click('.tools .near');
  await page.waitForSelector('.verdict');
  await page.waitForFunction(() => document.activeElement.textContent === '红方判负');
  const box = await page.locator('.verdict .headline').boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height < 740, 'the verdict is in sight');
  // The board stays in sight while the evidence is read.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const board = await page.locator('#board').boundingBox();
  assert.ok(board.y >= -1 && board.y < 5 && board.height < 740 * 0.6, JSON.stringify(board));
  await close();
});

const HORSE = 'c4k3/4a4/b4a3/1Np5p/6p2/9/6P2/4B4/r3A4/N2RKA3 w';
const game = (rounds) => `${HORSE} ${Array.from({ length: rounds }, () => 'b6c8 a9a8 c8b6 a8a9').join(' ')}`;
const OPENING = '炮二平五 马8进7 马二进三 车9平8';
const TWO = '[Event "联赛"]\n[Round "3"]\n[Table "7"]\n[Red "甲"]\n[Black "乙"]\n[Date "2020.01.01"]\n[Result "1-0"]\n\n1. 炮二平五 马8进7 *\n\n[Event "杯赛"]\n[Red "丙"]\n[Black "?"]\n\n1. 兵三进一 卒7进1 2. 马二进三 *\n';
const played = (page, count) => page.waitForFunction((count) => document.querySelectorAll('.record li').length === count, count);
const orders = '.settings select >> nth=1';
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('qili.entry')));

test('of several games the chosen one is read while its text is put right, and the names are those of its record', async () => {
  const { page, close } = await open(chrome, qili.url, { late: /positions:continuations/ });
  const hints = page.waitForResponse((one) => one.url().endsWith('/v1/positions:continuations') && one.request().postDataJSON().moves.length === 2);
  await paste(page, TWO);
  await played(page, 2);
  assert.deepEqual(Object.values((await kept(page)).sheet).slice(0, 5), ['联赛', '3', '7', '甲', '乙']);
  await page.fill('.entry input[type=number]', '2');
  // What is typed stands while the page is drawn anew around it: here by what is legal, which comes late.
  await (await hints).finished();
  await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
  assert.equal(await page.inputValue('.entry input[type=number]'), '2');
  await page.locator('.entry input[type=number]').blur();
  await played(page, 3);
  assert.deepEqual(Object.values((await kept(page)).sheet).slice(0, 5), ['杯赛', '', '', '丙', '']);
  await page.click('.settings summary');
  await page.getByLabel('黑方棋手').fill('丁');
  await paste(page, TWO.replace('马二进三', '马二进三 马8进7'));
  await played(page, 4);
  assert.equal(await page.inputValue('.entry input[type=number]'), '2');
  assert.equal((await kept(page)).sheet.black, '丁', 'what was written over them stays');
  // Of a text of one game no second is asked for.
  await paste(page, OPENING);
  await page.waitForFunction(() => document.querySelector('.record').textContent.includes('炮二平五'));
  await close();
});

test('what is said of one game is not said of another, and an order in force is seen', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, game(3));
  await played(page, 12);
  await page.click('.settings summary');
  await page.selectOption(orders, '3-red');
  await page.uncheck('.settings input[type=checkbox] >> nth=0');
  assert.match(await page.textContent('.told'), /已第2回合黑方走后令红方变着/);
  // The same game goes on, further than the last moves that are listed.
  await paste(page, game(13));
  await played(page, 52);
  assert.equal(await page.inputValue(orders), '3-red');
  assert.match(await page.textContent(`${orders} >> option:checked`), /第2回合黑方走后令红方变/);
  assert.equal(await page.isChecked('.settings input[type=checkbox] >> nth=0'), false);
  const asked = page.waitForRequest((request) => request.url().endsWith('/v1/rulings'));
  await judge(page);
  assert.deepEqual((await asked).postDataJSON().ordered, [{ after_ply: 3, side: 'red' }]);
  await page.click('text=修改');
  // Another game.
  await paste(page, OPENING);
  await played(page, 4);
  const { ordered, claimed, kind } = await kept(page);
  assert.deepEqual({ ordered, claimed, kind }, { ordered: '', claimed: true, kind: 'auto' });
  assert.doesNotMatch(await page.textContent('.told'), /令红方变/);
  // And back: all that was said of it comes back with it.
  await page.click('text=撤销');
  await played(page, 52);
  assert.equal((await kept(page)).ordered, '3-red');
  await close();
});

test('what was pasted over is brought back with its text, and so is what a case or a link took the place of', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, game(1));
  await played(page, 4);
  await paste(page, OPENING);
  await page.waitForFunction(() => document.querySelector('.record').textContent.includes('炮二平五'));
  await page.click('text=撤销');
  await page.waitForFunction(() => !document.querySelector('.record').textContent.includes('炮二平五'));
  assert.equal(await page.inputValue('.entry textarea'), game(1));
  await page.evaluate(() => { location.hash = 'cases=cxa-1999-13'; });
  await page.click('.actions .primary');
  await page.waitForSelector('.arbiter .verdict');
  await page.click('text=修改');
  await page.click('text=撤销');
  assert.equal(await page.inputValue('.entry textarea'), game(1));
  await page.evaluate((hash) => { location.hash = hash; }, '#fen=2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1_w&moves=f0e0,e8f8,e0f0,f8e8');
  await page.waitForSelector('.arbiter .verdict');
  await page.click('text=修改');
  await page.click('text=撤销');
  assert.equal(await page.inputValue('.entry textarea'), game(1));
  await close();
});

test('a link is read once: what is made of it stays when the page is loaded again or come back to', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: `#fen=${HORSE.replace(/ /g, '_')}&moves=b6c8,a9a8,c8b6,a8a9&rules=cxa-1999&kind=cycle` });
  await page.waitForSelector('.arbiter .verdict');
  assert.equal(new URL(page.url()).hash, '');
  await page.selectOption('.entry select', 'cxa-2020');
  await page.waitForFunction(() => document.querySelector('.verdict .book').textContent.includes('2020') && !document.querySelector('.verdict[aria-busy]'));
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  await page.click('.sheet-actions button:first-child');
  await page.waitForSelector('.arbiter .verdict');
  await page.waitForTimeout(300);
  assert.match(await page.textContent('.verdict .book'), /2020/);
  // What goes on is no cycle any more.
  await page.click('.instead .chip >> nth=0');
  await judge(page);
  assert.equal(await page.locator('.entry .fault').count(), 0);
  await page.click('text=修改');
  await paste(page, OPENING);
  await played(page, 4);
  await page.reload();
  await page.waitForSelector('.record li');
  assert.equal(await page.inputValue('.entry textarea'), OPENING);
  assert.equal(await page.locator('.verdict').count(), 0);
  await close();
});

test('a link that is pasted is ruled on, and its ruling stands when the sheet has been looked at', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.fill('.entry textarea', `https://qili.example/#fen=${HORSE.replace(/ /g, '_')}&moves=b6c8,a9a8,c8b6,a8a9`);
  await played(page, 4);
  await judge(page);
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  await page.click('.sheet-actions button:first-child');
  await page.waitForSelector('.arbiter');
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.arbiter .verdict').count(), 1);
  await close();
});

test('a wrong move is put right where it stands, and nothing else', async () => {
  const { page, close } = await open(chrome, qili.url);
  for (const [before, wrong, behind] of [
    ['炮二平五马8进7', '马二进九', '车9平8车一平二'], ['1. 炮二平五，马8进7。２．', '马二进九', '（好）车9平8'], ['{𠮷𠮷𠮷} 1.炮二平五 马8进7 2.', '马二进九', ' 车9平8'],
    ['C2=5 H8+7 ', 'H2+9', ' R9=8'], ['h2e2h9g7', 'h0a1', 'i9h9'], ['炮25 马87 ', '马29', '{?} 车98'],
  ]) {
    await paste(page, `${before}${wrong}${behind}`);
    await page.waitForFunction((wrong) => (document.querySelector('.entry .fault') || { textContent: '' }).textContent.includes(wrong), wrong);
    const choice = await page.textContent('.entry .fault .chip >> nth=0');
    await page.click('.entry .fault .chip >> nth=0');
    assert.equal(await page.inputValue('.entry textarea'), `${before}${choice}${behind}`);
    await page.waitForSelector('.record li:nth-child(4)');
  }
  await close();
});

test('each tab keeps what was entered in it', async () => {
  const { page, context, close } = await open(chrome, qili.url);
  await paste(page, game(1));
  await played(page, 4);
  const other = await context.newPage();
  await other.goto(qili.url);
  await other.waitForSelector('.record li:nth-child(4)');
  await paste(other, '炮二平五 马8进7');
  await played(other, 2);
  await page.reload();
  await page.waitForSelector('.record li:nth-child(4)');
  assert.equal(await page.inputValue('.entry textarea'), game(1));
  await close();
});
