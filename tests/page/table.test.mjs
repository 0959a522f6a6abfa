// What an arbiter does at the table: nothing is said that nobody said, nothing that was due is
// missed, and hands are quick, by touch, by keys, on any screen.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { LANGUAGES, UNREACHABLE, bare, browser, folder, judge, open, paste, printed, run, service } from './harness.mjs';
import { longGame } from './games.mjs';

const FEN = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w';
const CYCLE = `${FEN} 车四平五 将5平6 车五平四 将6平5`;
// Red checks for four cycles, then varies.
const VARIED = '4k4/9/9/9/9/9/9/9/5R3/3K5 w '
  + `${Array.from({ length: 4 }, () => 'f1e1 e9f9 e1f1 f9e9').join(' ')} f1g1 e9e8 g1h1 e8e9`;
const square = (name) => `#board [data-square="${name}"]`;

let qili;
let chrome;
before(async () => { [qili, chrome] = [await service(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

const sheetOf = async (page, name) => {
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  return bare(await printed(page, name));
};

for (const language of LANGUAGES) {
  test(`of one period nobody says that it was played three times (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language });
    await paste(page, CYCLE);
    await judge(page);
    const verdict = await page.textContent('.verdict');
    assert.match(verdict, language === 'zh' ? /按已循环3次、局面出现4次计，请核对记录/ : /taken as played 3 times, the position standing 4 times: check the record/);
    assert.match(verdict, language === 'zh' ? /若确已循环3次：对局到此结束，黑方胜/ : /If it was played 3 times: the game is over: Black wins/);
    assert.match(verdict, language === 'zh' ? /按已循环三次、同一局面出现四次计/ : /Taken as played three times in full/);
    assert.doesNotMatch(verdict, language === 'zh' ? /已满/ : /has been played/);
    const text = await sheetOf(page, `assumed-${language}`);
    assert.ok(text.includes(bare(language === 'zh' ? '只给了一个循环，按已循环3次计' : 'one cycle was given, taken as played 3 times')), text);
    await close();
  });

  test(`what was due in a game stands first, with the board and the limit of its moment (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language });
    await paste(page, VARIED);
    await judge(page);
    assert.equal(await page.textContent('.verdict .headline'), language === 'zh' ? '曾应裁：红方判负' : 'Was due: Red loses');
    assert.match(await page.textContent('.verdict .next'), language === 'zh' ? /^第6回合黑方走后已是待判局面/ : /pending after Black's move 6/);
    const box = await page.locator('.due button').first().boundingBox();
    assert.ok(box.y + box.height < 900, 'without scrolling');
    assert.match(await page.textContent('.limit-line'), /10 \/ 60/);
    await page.click('.due button');
    await page.waitForFunction((wanted) => document.querySelector('.verdict .headline').textContent === wanted, language === 'zh' ? '红方判负' : 'Red loses');
    await page.waitForFunction(() => /\b6 \/ 60/.test(document.querySelector('.limit-line').textContent));
    assert.equal(await page.locator(`${square('e1')}`).count(), 0, 'the board is a picture');
    assert.match(await page.getAttribute('#board', 'aria-label'), language === 'zh' ? /车 e1/ : /rook e1/);
    await page.click('.moment button');
    await page.waitForFunction(() => /10 \/ 60/.test(document.querySelector('.limit-line').textContent));
    await close();
  });
}

test('a sheet of a game carries the position shown and the game, to be replayed from the paper', async () => {
  const { page, close } = await open(chrome, qili.url);
  const opening = 'h2e2 h9g7 h0g2 i9h9 i0h0';
  const idle = Array.from({ length: 3 }, () => 'h0h4 a9a8 h4h0 a8a9').join(' ');
  await paste(page, `${opening.split(' ').slice(0, 4).join(' ')} i0h0 b9c7 ${idle}`);
  await judge(page);
  const ruling = await qili.post('v1/rulings', { moves: `${opening.split(' ').slice(0, 4).join(' ')} i0h0 b9c7 ${idle}`.split(' '), kind: 'game', explain: 'full' });
  const text = await sheetOf(page, 'replayed');
  const read = await qili.post('v1/games:read', { text: `${opening.split(' ').slice(0, 4).join(' ')} i0h0 b9c7` });
  const shown = await page.textContent('.page figcaption .fen');
  // The cycle starts after six plies: that is the position, not the opening.
  assert.equal(shown, await page.evaluate(async ([fen, moves]) => {
    const base = document.querySelector('script[type=module]').src;
    const { positions, writeFen } = await import(new URL('chess.js', base));
    return writeFen(positions(fen, moves).at(-1));
  }, ['rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w', read.moves.map((move) => move.iccs)]));
  assert.ok(text.includes(bare(shown)));
  for (const move of read.moves) assert.ok(text.includes(move.chinese), `${move.chinese}: the game stands on the sheet`);
  for (const move of ruling.moves) assert.ok(text.includes(move.chinese));
  assert.ok(text.includes('第4回合红方起'), 'and where the cycle begins');
  await close();
});

test('rounds and sides are counted, and points called what players call them', async () => {
  const { page, close } = await open(chrome, qili.url);
  const { cases } = await qili.get('v1/cases?book=cxa-1999');
  const one = cases.find((one) => one.id === 'cxa-1999-06');
  await paste(page, `${one.fen} ${one.moves.join(' ')}`);
  await judge(page);
  const seen = async () => page.evaluate(() => [...document.querySelectorAll('.verdict, .moves, .detail, .status')].map((node) => node.innerText).join(' '));
  for (const move of await page.locator('.moves .move').all()) {
    await move.click();
    assert.doesNotMatch(await seen(), /[a-i][0-9](?![0-9a-z])/, 'no letter that the board does not show');
  }
  assert.match(await page.textContent('.detail h2'), /第2回合/);
  const faces = () => page.evaluate(() => document.querySelectorAll('#board path').length);
  const before = await faces();
  await page.click('.board-looks summary');
  await page.check('.board-looks input >> nth=0');
  assert.equal(await faces(), before + 19, 'nine letters and ten numbers at the edge');
  assert.match(await page.textContent('.detail > p'), /（[a-i][0-9]）/, 'which the texts then name');
  const glyph = () => page.evaluate(() => [...document.querySelectorAll('#board [data-slide] path')].map((path) => path.getAttribute('d')).join());
  const traditional = await glyph();
  await page.check('.board-looks input >> nth=1');
  assert.notEqual(await glyph(), traditional);
  await page.reload();
  await page.waitForSelector('#board');
  assert.equal(await page.isChecked('.board-looks input >> nth=1'), true, 'kept');
  await close();
});

test('two pieces of one name are told apart', async () => {
  const { cases } = await qili.get('v1/cases');
  let told = 0;
  for (const one of cases) {
    const asked = { fen: one.fen, moves: one.moves, rules: one.book in one.expect ? one.book : Object.keys(one.expect)[0] };
    let ruling = await qili.post('v1/rulings', asked);
    // The list does not say which of them are games: there the times it was played are counted.
    const game = /^cycle_/.test(ruling.code || '');
    if (game) ruling = await qili.post('v1/rulings', { ...asked, kind: 'game' });
    for (const move of ruling.moves || []) {
      const zh = (move.reason || {}).zh || '';
      const pair = zh.match(/(?:^|，)([^，；（红黑]*路|中)([车马炮])（[a-i]\d）可(?:以[^，；]*为架)?[吃打]([^，；（红黑]*路|中)([车马炮])（/);
      if (pair && pair[2] === pair[4]) assert.fail(`${one.id}: ${zh}`);
      if (/黑[^，；]{0,3}路?[车马炮]（|红[^，；]{0,3}路?[车马炮]（/.test(zh)) told += 1;
      assert.doesNotMatch(zh, /使不及|自行应将/);
    }
    const reason = (ruling.verdict.reason || {}).zh || '';
    assert.doesNotMatch(reason, /二次|[兑献拦跟][^；。]*其中有闲/);
    if (!game) assert.doesNotMatch(reason, /已满/);
  }
  assert.ok(told > 5, `${told} told apart`);
});

test('a finger drags a piece, and scrolls the page from an empty point', async () => {
  const { page, context, close } = await open(chrome, qili.url, { size: 'phone' });
  const session = await context.newCDPSession(page);
  const middle = async (name) => { const box = await page.locator(square(name)).boundingBox(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; };
  const stroke = async (from, to) => {
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
    for (let n = 1; n <= 8; n += 1) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from.x + ((to.x - from.x) * n) / 8, y: from.y + ((to.y - from.y) * n) / 8 }] });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await page.evaluate(() => document.getElementById('board').scrollIntoView({ block: 'center' }));
  const at = await page.evaluate(() => scrollY);
  await stroke(await middle('h2'), await middle('e2'));
  await page.waitForSelector('.record li');
  assert.match(await page.textContent('.record'), /炮二平五/);
  assert.equal(await page.evaluate(() => scrollY), at, 'the page stays where it is');
  await stroke(await middle('e4'), await middle('e8'));
  await page.waitForFunction((at) => scrollY !== at, at);
  assert.equal(await page.locator('.record li').count(), 1);
  await close();
});

test('a typo far down is scrolled to, and put right by a tap', async () => {
  const { page, close } = await open(chrome, qili.url);
  const moves = longGame(80);
  const rows = Array.from({ length: 40 }, (_, n) => `${n + 1}. ${moves[2 * n]} ${moves[2 * n + 1]}`);
  const wrong = `${moves[72].slice(0, 2)}${moves[72].slice(0, 2)}`;
  rows[36] = `37. ${wrong} ${moves[73]}`;
  await paste(page, rows.join('\n'));
  await page.waitForSelector('.entry .fault .link');
  await page.evaluate(() => { document.querySelector('.entry textarea').scrollTop = 0; });
  await page.click('.entry .fault .link');
  const shown = await page.evaluate(() => {
    const box = document.querySelector('.entry textarea');
    const line = parseFloat(getComputedStyle(box).lineHeight);
    const top = 36 * line;
    return { chosen: box.value.slice(box.selectionStart, box.selectionEnd), seen: top >= box.scrollTop - line && top + line <= box.scrollTop + box.clientHeight + line, top: box.scrollTop };
  });
  assert.equal(shown.chosen, wrong);
  assert.ok(shown.seen && shown.top > 300, JSON.stringify(shown));
  await paste(page, '炮二平五 马8进7\n马二进四');
  await page.waitForFunction(() => document.querySelector('.entry .fault')?.textContent.includes('马二进四'));
  const choices = await page.locator('.entry .fault .chip').allTextContents();
  assert.ok(choices.includes('马二进三') || choices.includes('马二进一'), choices.join());
  await page.click('.entry .fault .chip >> nth=0');
  await page.waitForSelector('.record li:nth-child(3)');
  assert.ok((await page.inputValue('.entry textarea')).endsWith(choices[0]));
  assert.equal(await page.locator('.entry .fault').count(), 0);
  await close();
});

test('what was pasted while the service was away is read when it is back', async () => {
  let own = await service();
  const { page, close } = await open(chrome, own.url, { allowed: UNREACHABLE });
  await page.waitForFunction(() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('/readyz')));
  await own.stop();
  await page.fill('.entry textarea', CYCLE);
  await page.waitForSelector('.entry .fault');
  own = await service(own.port);
  await page.waitForSelector('.record li:nth-child(4)');
  assert.equal(await page.locator('.entry .fault').count(), 0);
  assert.equal(await page.inputValue('.entry textarea'), CYCLE);
  await judge(page);
  await close();
  await own.stop();
});

test('a ruling that takes long can be stopped', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, CYCLE);
  let let_ = () => {};
  await page.route('**/v1/rulings', async (route) => { await new Promise((done) => { let_ = done; }); await route.continue().catch(() => {}); });
  await page.click('.entry .primary');
  await page.click('.entry .stop');
  await page.waitForFunction(() => document.querySelector('.entry .primary').textContent === '裁决');
  assert.equal(await page.locator('.verdict, .entry .fault').count(), 0);
  let_();
  await page.unroute('**/v1/rulings');
  await judge(page);
  assert.equal(await page.textContent('.verdict .headline'), '红方判负');
  await close();
});

const SCREENS = [[360, 740], [390, 844], [600, 960], [641, 800], [683, 384], [740, 360], [844, 390], [768, 1024], [820, 1180], [959, 700], [1024, 768], [1280, 720], [1366, 768], [1920, 1080]];
for (const language of LANGUAGES) {
  test(`board and evidence are seen together on every screen (${language})`, async () => {
    for (const [width, height] of SCREENS) {
      const { page, close } = await open(chrome, qili.url, { size: { width, height }, language });
      await paste(page, CYCLE);
      await judge(page);
      await page.click('.moves .move >> nth=2');
      await page.evaluate(() => document.querySelector('.detail').scrollIntoView({ block: document.querySelector('.detail').getBoundingClientRect().height > innerHeight * 0.4 ? 'end' : 'center' }));
      const seen = await page.evaluate(() => {
        const part = (node) => { const box = node.getBoundingClientRect(); const tall = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0); return Math.max(0, tall) / Math.min(box.height, innerHeight); };
        const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        const [board, detail] = [document.getElementById('board').getBoundingClientRect(), document.querySelector('.detail').getBoundingClientRect()];
        return { board: part(document.getElementById('board')), wide, beside: board.right <= detail.left + 1, size: board.height };
      });
      assert.ok(seen.board > 0.97 && seen.wide <= 0, `${width}×${height}: ${JSON.stringify(seen)}`);
      assert.ok(width < 600 || seen.beside, `${width}×${height}: beside one another`);
      await close();
    }
  });
}

test('Ctrl+P on a ruling prints its sheet, and the ruling as printed has nothing to press', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.evaluate(() => { window.print = () => { window.printed = (window.printed || 0) + 1; }; });
  await paste(page, CYCLE);
  await judge(page);
  await page.waitForSelector('.books tr:nth-child(6) .outcome');
  writeFileSync(`${folder}/ruling.pdf`, await page.pdf({ preferCSSPageSize: true }));
  const { stdout } = await run('pdftotext', ['-layout', `${folder}/ruling.pdf`, '-']);
  const text = bare(stdout);
  assert.ok(text.includes('红方判负') && text.includes('车四平五'), text);
  for (const button of ['复制链接', '复制FEN', '导出PGN', '另裁一局', '翻转', '裁决书', 'English', '大图']) assert.ok(!text.includes(button), `${button} is printed`);
  await page.keyboard.press('Control+p');
  await page.waitForSelector('.page');
  await page.waitForFunction(() => window.printed === 1);
  assert.ok(bare(await printed(page, 'by-key')).includes('红方判负'));
  await close();
});

test('what is cleared is a position that can be played', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.click('text=摆子');
  await page.click('.tray >> text=清空');
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('qili.entry')).fen.startsWith('3k5'));
  await page.waitForTimeout(600);
  assert.equal(await page.locator('.fault').count(), 0);
  const { fen } = await page.evaluate(() => JSON.parse(localStorage.getItem('qili.entry')));
  assert.equal((await qili.post('v1/games:read', { text: fen })).fault, null);
  await close();
});

test('everything is done by keys alone', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.evaluate(() => { window.print = () => { window.printed = true; }; });
  for (let n = 0; n < 30 && await page.evaluate(() => document.activeElement.tagName) !== 'TEXTAREA'; n += 1) await page.keyboard.press('Tab');
  await page.keyboard.insertText(VARIED.replace('f1g1 e9e8 g1h1 e8e9', ''));
  await page.waitForSelector('.record li:nth-child(16)');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.verdict');
  await page.waitForFunction(() => document.activeElement.classList.contains('headline'));
  const at = () => page.textContent('.status');
  assert.match(await at(), /第1回合红方 车四平五/);
  await page.keyboard.press('ArrowRight');
  assert.match(await at(), /第1回合黑方 将5平6/);
  assert.equal(await page.locator('.moves .move[aria-pressed=true] .name').textContent(), '将5平6', 'the evidence follows');
  for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowRight');
  assert.match(await at(), /第4回合红方/, 'the whole game stays at hand');
  await page.keyboard.press('Home');
  assert.match(await at(), /开局/);
  await page.keyboard.press('End');
  assert.match(await at(), /第8回合黑方/);
  const before = await page.locator('#board').innerHTML();
  await page.keyboard.press('f');
  assert.notEqual(await page.locator('#board').innerHTML(), before, 'turned');
  await page.keyboard.press('Control+p');
  await page.waitForFunction(() => window.printed);
  await close();
});

test('the wheel steps over the board; the rounds stand beside it', async () => {
  const { page, close } = await open(chrome, qili.url, { size: { width: 1366, height: 768 } });
  await paste(page, longGame(120).join(' '));
  await page.waitForSelector('.record li:nth-child(120)');
  const [board, record] = [await page.locator('#board').boundingBox(), await page.locator('.record').boundingBox()];
  assert.ok(record.x > board.x + board.width && record.y < 200 && record.y + record.height <= 768, JSON.stringify(record));
  const rows = await page.evaluate(() => [...document.querySelectorAll('.record li')].slice(0, 4).map((node) => Math.round(node.getBoundingClientRect().top)));
  assert.ok(rows[0] === rows[1] && rows[2] === rows[3] && rows[2] > rows[0], 'a round a row');
  await page.mouse.move(board.x + 100, board.y + 100);
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => document.querySelector('.status').textContent.includes('第60回合红方'));
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => document.querySelector('.status').textContent.includes('第60回合黑方'));
  assert.equal(await page.evaluate(() => scrollY), 0);
  const chosen = await page.locator('.record [aria-pressed=true]').boundingBox();
  assert.ok(chosen.y > 0 && chosen.y + chosen.height < 768, 'the move shown is in sight');
  await close();
});

test('a position is copied, a game exported and read again, a king in check shown, the board turned to the players', async () => {
  const { page, context, close } = await open(chrome, qili.url);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(page, `${FEN} 车四平五`);
  await page.waitForSelector('.record li');
  assert.equal(await page.locator('#board .checked').count(), 1);
  assert.match(await page.getAttribute(square('e8'), 'aria-label'), /被将军/);
  await page.click('text=复制FEN');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('2b6/4k4/9/9/9/9/9/9/2p6/3KR1Bc1 b'));
  const download = page.waitForEvent('download');
  await page.click('text=导出PGN');
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
  const pgn = Buffer.concat(chunks).toString();
  const again = await qili.post('v1/games:read', { text: pgn });
  assert.deepEqual([again.form, again.fault, again.fen.slice(0, FEN.length), again.moves.map((move) => move.iccs)], ['pgn', null, FEN, ['f0e0']]);
  await paste(page, CYCLE);
  await judge(page);
  await page.click('.enlarge');
  await page.waitForSelector('#large-board');
  // Both at once: what is drawn again between two questions has no box.
  const [big, small] = await page.evaluate(() => ['large-board', 'board'].map((id) => document.getElementById(id).getBoundingClientRect().height));
  assert.ok(big > small && big > 900 * 0.9, `${big}`);
  assert.equal(await page.textContent('.large .headline'), '红方判负');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.move-large:has-text("将5平6")');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.large', { state: 'detached' });
  await close();
});

test('the rule book chosen last is taken the next time, and said', async () => {
  const { page, close } = await open(chrome, qili.url);
  assert.match(await page.textContent('.told'), /按1999年规则；改选后记住/);
  await page.selectOption('.entry select >> nth=0', 'cxa-2020');
  assert.match(await page.textContent('.told'), /按2020年规则/);
  await page.evaluate(() => localStorage.removeItem('qili.entry'));
  await page.reload();
  await page.waitForSelector('.entry select');
  await page.click('.entry .row >> text=清空');
  assert.equal(await page.inputValue('.entry select >> nth=0'), 'cxa-2020');
  await close();
});

test('a piece that moves slides, unless one asks for stillness', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.evaluate(() => {
    window.slid = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function count(...given) { window.slid += 1; return animate.apply(this, given); };
  });
  await paste(page, 'h2e2 h9g7');
  await page.waitForSelector('.record li:nth-child(2)');
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => window.slid === 1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => window.slid), 1);
  await close();
});

const THREEFOLD = '三次重复即和';
const book = (page, words) => page.waitForFunction((words) => document.querySelector('.verdict .book')?.textContent.includes(words) && !document.querySelector('.verdict[aria-busy]'), words);
/// Holds the answers to a path back until they are let go.
const held = async (page, path) => {
  const waiting = [];
  await page.route(path, async (route) => { await new Promise((done) => { waiting.push(done); }); await route.continue().catch(() => {}); });
  return { let: async () => { await page.unroute(path); waiting.forEach((done) => done()); } };
};

test('what is chosen while a ruling is under way is what it is by; stopped, all is as it was', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, CYCLE);
  let answers = await held(page, '**/v1/rulings');
  await page.click('.entry .primary');
  await page.selectOption('.entry select >> nth=0', 'threefold');
  await answers.let();
  await book(page, THREEFOLD);
  assert.equal(await page.inputValue('.entry select'), 'threefold');
  answers = await held(page, '**/v1/rulings');
  await page.selectOption('.entry select', 'cxa-2020');
  await page.waitForSelector('.verdict[aria-busy]');
  await page.click('.entry .stop');
  await book(page, THREEFOLD);
  assert.equal(await page.inputValue('.entry select'), 'threefold');
  await answers.let();
  await close();
});

test('what is stopped while the text is read is not ruled on, and a new dispute ends what is under way', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, CYCLE);
  const texts = await held(page, '**/v1/games:read');
  await page.fill('.entry textarea', `${CYCLE} 车四平五 将5平6 车五平四 将6平5`);
  await page.click('.entry .primary');
  await page.click('.entry .stop');
  assert.equal(await page.textContent('.entry .primary'), '裁决');
  await texts.let();
  await page.waitForSelector('.record li:nth-child(8)');
  await page.waitForTimeout(500);
  assert.equal(await page.locator('.verdict').count(), 0);
  await judge(page);
  const rulings = await held(page, '**/v1/rulings');
  await page.selectOption('.entry select', 'threefold');
  await page.waitForSelector('.verdict[aria-busy]');
  await page.click('text=另裁一局');
  await paste(page, CYCLE);
  await page.waitForSelector('.record li:nth-child(4)');
  assert.equal(await page.isEnabled('.entry .primary'), true);
  await rulings.let();
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.verdict').count(), 0);
  await close();
});

const ORDERED = `c4k3/4a4/b4a3/1Np5p/6p2/9/6P2/4B4/r3A4/N2RKA3 w ${Array.from({ length: 6 }, () => 'b6c8 a9a8 c8b6 a8a9').join(' ')}`;
const linked = async (page) => {
  await page.click('text=复制链接');
  await page.waitForFunction(() => document.querySelector('.verdict .actions').textContent.includes('已复制'));
  return new URL(await page.evaluate(() => navigator.clipboard.readText()));
};

test('a link to an earlier moment opens, without the order that was given later', async () => {
  const { page, context, close } = await open(chrome, qili.url);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(page, ORDERED);
  await page.click('.settings summary');
  await page.selectOption('.settings select >> nth=1', '21-red');
  await judge(page);
  assert.match((await linked(page)).hash, /ordered=21-red/);
  await page.click('.limit li button >> nth=0');
  await page.waitForSelector('.moment');
  const headline = await page.textContent('.verdict .headline');
  await page.waitForFunction(() => document.querySelector('.verdict .actions').textContent.includes('复制链接'));
  const link = await linked(page);
  assert.doesNotMatch(link.hash, /ordered/);
  const second = await open(chrome, qili.url, { hash: link.hash });
  await second.page.waitForSelector('.verdict');
  assert.equal(await second.page.textContent('.verdict .headline'), headline);
  await second.close();
  await close();
});

test('the code of the sheet of a game in which change was ordered leads to the same ruling', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, ORDERED);
  await page.click('.settings summary');
  await page.selectOption('.settings select >> nth=1', '11-red');
  await judge(page);
  const headline = await page.textContent('.verdict .headline');
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  const link = (await page.getAttribute('.code', 'aria-label')).replace('二维码：', '');
  assert.match(link, /ordered=11-red/);
  const scanned = await open(chrome, qili.url, { hash: new URL(link).hash });
  await scanned.page.waitForSelector('.verdict');
  assert.equal(await scanned.page.textContent('.verdict .headline'), headline);
  await scanned.close();
  await close();
});

test('in English the moves stand beside the board with their badges, and on a phone the sheet with the whole position', async () => {
  const desktop = await open(chrome, qili.url, { language: 'en' });
  await paste(desktop.page, ORDERED);
  await judge(desktop.page);
  await desktop.page.waitForSelector('.record .badge');
  const cut = await desktop.page.evaluate(() => [...document.querySelectorAll('.record .chip')].filter((chip) => chip.scrollWidth > chip.clientWidth).map((chip) => chip.textContent));
  assert.deepEqual(cut, []);
  await desktop.close();
  const phone = await open(chrome, qili.url, { language: 'en', size: 'phone' });
  await paste(phone.page, ORDERED);
  await judge(phone.page);
  await phone.page.click('.verdict .primary');
  await phone.page.waitForSelector('.game-moves');
  const over = await phone.page.evaluate(() => [...document.querySelectorAll('.game-moves, .game-moves *')].filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth).map((node) => node.textContent));
  assert.deepEqual(over, []);
  await phone.close();
});

test('what may be played instead is said not to be known where it could not be asked, and a day on a sheet is of its dispute', async () => {
  const { page, close } = await open(chrome, qili.url, { allowed: /status of 429/ });
  await page.route('**/v1/positions:continuations', (route) => route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify({ status: 429, code: 'rate_limited', detail: 'x' }) }));
  await paste(page, ORDERED.split(' ').slice(0, 6).join(' '));
  await judge(page);
  await page.waitForSelector('.instead >> text=没有算出来');
  await page.click('.verdict .primary');
  const day = await page.inputValue('.blank.date input');
  await page.fill('.blank.date input', '1999-01-01');
  await page.click('.sheet-actions button:first-child');
  await page.click('text=另裁一局');
  await paste(page, CYCLE);
  await judge(page);
  await page.click('.verdict .primary');
  assert.equal(await page.inputValue('.blank.date input'), day);
  await close();
});
