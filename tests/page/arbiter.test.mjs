// An arbiter enters a dispute, reads the ruling, and prints it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { LANGUAGES, SIZES, bare, browser, judge, open, paste, printed, service } from './harness.mjs';

const SHEET = `[Event "甲级联赛"]
[Round "3"]
[Red "王 <b>甲</b>"]
[Black "李乙"]
[FEN "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"]

1. 车四平五 将5平6 2. 车五平四 将6平5 *
`;
const FEN = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w';

let qili;
let chrome;
before(async () => { [qili, chrome] = [await service(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

for (const size of Object.keys(SIZES)) {
  for (const language of LANGUAGES) {
    test(`from a score sheet to a printed ruling in four actions (${size}, ${language})`, async () => {
      const { page, close } = await open(chrome, qili.url, { size, language });
      await page.evaluate(() => { window.print = () => { window.printed = true; }; });
      await paste(page, SHEET); // 1
      await page.click('.entry .primary'); // 2
      await page.waitForFunction(() => document.activeElement.classList.contains('headline'));
      const headline = await page.textContent('.verdict .headline');
      assert.equal(headline, language === 'zh' ? '红方判负' : 'Red loses');
      const box = await page.locator('.verdict .headline').boundingBox();
      assert.ok(box.height >= 35 && box.y + box.height < SIZES[size].height, 'the verdict is in sight');
      await page.click('.verdict .primary'); // 3
      await page.click('.sheet-actions .primary'); // 4
      assert.ok(await page.evaluate(() => window.printed));
      const text = bare(await printed(page, `journey-${size}-${language}`));
      const parts = language === 'zh' ? ['红方判负', '车四平五', '按已循环3次计', '将', '闲'] : ['Red loses', 'rook f0–e0', 'taken as played 3 times', 'check', 'idle'];
      for (const part of [...parts, '24.1', '26.1', FEN]) {
        assert.ok(text.includes(bare(part)), `${part} is not on the sheet`);
      }
      const took = await page.evaluate(() => performance.getEntriesByName('ruling shown').map((entry) => entry.duration));
      console.log(`ruling shown after ${took.map((time) => time.toFixed(0))} ms`);
      await close();
    });

    test(`every move of every figure is shown with its reason and clause (${size}, ${language})`, async () => {
      const { page, close } = await open(chrome, qili.url, { size, language });
      const { cases } = await qili.get('v1/cases?book=cxa-1999');
      for (const one of cases.filter((one) => one.id.startsWith('cxa-1999'))) {
        await paste(page, `${one.fen} ${one.moves.join(' ')}`);
        await judge(page);
        const expected = one.expect['cxa-1999'];
        const cited = await page.locator('.verdict .clauses .chip').allTextContents();
        assert.deepEqual(cited, expected.clauses, one.id);
        const moves = page.locator('.moves .move');
        assert.equal(await moves.count(), one.moves.length, one.id);
        for (let at = 0; at < one.moves.length; at += 1) {
          const move = moves.nth(at);
          await move.click();
          assert.equal(await move.getAttribute('aria-pressed'), 'true');
          assert.ok((await move.locator('.badge').textContent()).trim(), `${one.id}: a badge`);
          const reason = `${await page.textContent('.detail h2')} ${await page.textContent('.detail > p')}`;
          if (language === 'zh') assert.doesNotMatch(reason, /[a-i][0-9]/, `${one.id}, ply ${at}: points that no board shows in “${reason}”`);
          else assert.match(reason, /[a-i][0-9]/, `${one.id}, ply ${at}: squares in “${reason}”`);
          assert.match(reason, /[车马炮兵卒将帅士仕象相]|rook|horse|cannon|pawn|king|advisor|elephant/, `${one.id}: pieces`);
          assert.ok(await page.locator('.detail .clauses .chip').count() > 0, `${one.id}, ply ${at}: clauses`);
        }
        await page.click('.entry button:last-of-type');
      }
      await close();
    });
  }
}

test('a move is shown on the board: targets, guards, false roots, lines step by step', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'zh' });
  const found = { false: 0, guard: 0, lines: 0, compared: 0, more: 0 };
  const { cases } = await qili.get('v1/cases');
  for (const id of ['cxa-1999-10', 'cxa-1999-13', 'cxa-1999-15', 'cxa-2020-fig-04', 'cxa-2020-fig-23']) {
    const one = cases.find((one) => one.id === id);
    assert.ok(one, id);
    await paste(page, `${one.fen} ${one.moves.join(' ')}`);
    await judge(page);
    const ruling = await qili.post('v1/rulings', { fen: one.fen, moves: one.moves, explain: 'full' });
    for (const [at, move] of ruling.moves.entries()) {
      await page.locator('.moves .move').nth(at).click();
      const roots = (move.targets || []).flatMap((target) => target.roots);
      const unreal = roots.filter((root) => root.false && !(root.through || []).length);
      found.false += unreal.length;
      found.guard += roots.length - unreal.length;
      assert.equal(await page.locator('.detail .root').count(), roots.length, `${id} ${at}`);
      assert.equal(await page.locator('.detail .root.false').count(), unreal.length);
      const lines = move.evidence.filter((evidence) => evidence.line.length);
      // What the label rests on is there at once, or the best capture that fails; the others are asked for.
      const decides = lines.filter((evidence) => evidence.claim !== 'refuted' || evidence.from_ply !== at);
      const first = decides.length || Math.min(1, lines.length);
      assert.equal(await page.locator('.detail .line').count(), first, `${id} ${at}`);
      for (const [index, evidence] of decides.entries()) {
        assert.equal(await page.locator('.detail .line').nth(index).locator('.chip').count(), evidence.line.length, `${id} ${at}`);
        if (evidence.claim === 'refuted') found.compared += 1;
      }
      if (lines.length > first) {
        found.more += 1;
        assert.match(await page.textContent('.more-lines'), new RegExp(`另有${lines.length - first}个`));
        await page.click('.more-lines');
      }
      assert.equal(await page.locator('.detail .line').count(), lines.length);
      const lengths = [];
      for (const index of lines.keys()) {
        found.lines += 1;
        const line = page.locator('.detail .line').nth(index);
        const before = await page.locator('#board').innerHTML();
        await line.locator('.chip').last().click();
        assert.notEqual(await page.locator('#board').innerHTML(), before, `${id} ${at}: the board follows the line`);
        lengths.push(await line.locator('.chip').count());
        await line.locator('.step').first().click();
      }
      assert.deepEqual(lengths.sort(), lines.map((evidence) => evidence.line.length).sort());
    }
    await page.click('.entry button:last-of-type');
  }
  assert.ok(found.lines > 5 && found.guard > 0 && found.false > 0 && found.compared > 0 && found.more > 0, JSON.stringify(found));
  await close();
});

test('a ruling is verified by its certificate, which is there to be had, and what does not bear it out is told', async () => {
  for (const language of LANGUAGES) {
    const { page, close } = await open(chrome, qili.url, { language });
    const { cases } = await qili.get('v1/cases');
    const one = cases.find((one) => one.id === 'cxa-2020-fig-05');
    const ask = `${one.fen} ${one.moves.join(' ')}`;
    await paste(page, ask);
    await judge(page);
    await page.waitForSelector('.certificate.good');
    assert.match(await page.textContent('.certificate'), language === 'zh' ? /已核验.*服务器.*4着/ : /Verified.*service.*4 moves/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.certificate button')]);
    const certificate = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.equal(certificate.format, 'qili-proof/12');
    assert.deepEqual(await qili.post('v1/proofs:verify', certificate), { verified: true, moves: 4, numbers: (await qili.post('v1/proofs:verify', certificate)).numbers });
    // A ruling that says otherwise than what is proved is not passed.
    await page.route(/\/v1\/rulings$/, async (route) => {
      const answer = await route.fetch();
      const told = await answer.json();
      if (told.moves.length && !told.proof) told.moves[1].nature = told.moves[1].nature === 'idle' ? 'chase' : 'idle';
      await route.fulfill({ response: answer, json: told });
    });
    await page.click('.entry button:last-of-type');
    await paste(page, ask);
    await judge(page);
    await page.waitForSelector('.certificate.bad');
    assert.match(await page.textContent('.certificate'), /ruling\.moves\.nature/);
    await close();
  }
});

test('the text of a clause is one tap away, and what may be played instead is told', async () => {
  const { page, close } = await open(chrome, qili.url, { language: 'en' });
  const { cases } = await qili.get('v1/cases?book=cxa-1999');
  const one = cases.find((one) => one.id === 'cxa-1999-06');
  await paste(page, `${one.fen} ${one.moves.join(' ')}`);
  await judge(page);
  assert.match(await page.textContent('.verdict .next'), /must play something else at once; after 1 more cycle Red loses/);
  await page.click('.verdict .chip >> nth=0');
  assert.match(await page.textContent('.verdict .clause'), /^24\.3 \S+/);
  await page.waitForSelector('.instead .chip');
  assert.ok(await page.locator('.instead .chip').count() > 3);
  await page.waitForSelector('.books tr:nth-child(6) .outcome');
  assert.match(await page.textContent('.books tr:last-child'), /Draw/);
  await page.click('.books tr:last-child button');
  await page.waitForFunction(() => document.querySelector('.verdict .headline')?.textContent === 'Draw');
  assert.equal(await page.inputValue('.entry select'), 'threefold');
  await close();
});

test('a wrong FEN and a wrong move are told where they are, and the board shows what it can', async () => {
  for (const language of LANGUAGES) {
    const { page, close } = await open(chrome, qili.url, { language });
    await paste(page, '4k4/9/9/9/9/9/9/9/9/3K1R3 w');
    assert.equal(await page.locator('.fault').count(), 0);
    await paste(page, '4k4/9/9/9/9/9/9/9/9/R8 w');
    assert.match(await page.textContent('.fault'), language === 'zh' ? /没有帅|帅/ : /king/);
    assert.ok(await page.isDisabled('.entry .primary'));
    assert.equal(await page.locator('#board [data-square="a0"].piece').count(), 1);
    await paste(page, `${FEN}\n车四平五 将5平6\n车五平九`);
    await page.waitForFunction(() => document.querySelector('.fault')?.textContent.includes('车五平九'));
    await page.click('.fault button');
    const selection = await page.evaluate(() => { const box = document.querySelector('textarea'); return box.value.slice(box.selectionStart, box.selectionEnd); });
    assert.equal(selection, '车五平九');
    assert.equal(await page.locator('.record li').count(), 2, 'what comes before it is read');
    await close();
  }
});

test('what is pasted never becomes markup', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#fen=%3Cimg%20src=x%3E&moves=h2e2' });
  const evil = '"><img src=x onerror="window.evil=1"><script>window.evil=1</script>';
  await paste(page, `[Event "${evil.replaceAll('"', '')}"]\n[Red "<i>x</i>"]\n\n1. 炮二平五 ${evil} *`);
  await page.waitForFunction(() => document.querySelector('.record').textContent.includes('炮二平五'));
  assert.equal(await page.locator('.fault').count(), 1);
  assert.equal(await page.locator('img, i, script:not([type=module])').count(), 0);
  await paste(page, `[Event "${evil.replaceAll('"', '')}"]\n[Red "<i>x</i>"]\n[FEN "${FEN} - - 0 1"]\n\n1. f0e0 e8f8 2. e0f0 f8e8 *`);
  await judge(page);
  await page.click('.verdict .primary');
  assert.equal(await page.inputValue('.blank input >> nth=0'), evil.replaceAll('"', ''));
  assert.equal(await page.locator('.page img, .page script').count(), 0);
  assert.equal(await page.evaluate(() => window.evil), undefined);
  await close();
});

test('a link holds the whole dispute', async () => {
  const first = await open(chrome, qili.url);
  await first.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(first.page, SHEET);
  await judge(first.page);
  await first.page.click('.verdict .actions button >> nth=1');
  await first.page.waitForFunction(() => document.querySelector('.verdict .actions').textContent.includes('已复制'));
  const link = await first.page.evaluate(() => navigator.clipboard.readText());
  await first.page.click('.verdict .actions button >> nth=2');
  await first.page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('棋例裁决'));
  const text = await first.page.evaluate(() => navigator.clipboard.readText());
  for (const part of ['甲级联赛', '红方判负', 'Red loses', '车四平五 (f0e0) 将', '24.1', FEN]) assert.ok(text.includes(part), part);
  await first.close();
  const second = await open(chrome, qili.url, { language: 'en', hash: new URL(link).hash });
  await second.page.waitForSelector('.verdict');
  assert.equal(await second.page.textContent('.verdict .headline'), 'Red loses');
  await second.close();
  const third = await open(chrome, qili.url, { language: 'en' });
  await third.page.fill('.entry textarea', link);
  await third.page.waitForSelector('.record li:nth-child(4)');
  await judge(third.page);
  assert.equal(await third.page.textContent('.verdict .headline'), 'Red loses');
  await third.close();
});

test('an entry stays when the page is closed', async () => {
  const { page, close } = await open(chrome, qili.url);
  // What is kept at the moment when the moves come into the page.
  await page.evaluate(() => {
    new MutationObserver((_, watch) => {
      if (!document.querySelector('.record li:nth-child(4)')) return;
      watch.disconnect();
      window.keptThen = JSON.parse(localStorage.getItem('qili.entry'));
    }).observe(document.querySelector('main'), { childList: true, subtree: true });
  });
  await paste(page, SHEET);
  await page.waitForFunction(() => window.keptThen);
  assert.ok(await page.evaluate(() => window.keptThen.moves.length >= 4));
  await page.reload();
  await page.waitForSelector('.record li:nth-child(4)');
  assert.equal(await page.inputValue('.entry textarea'), SHEET);
  await close();
});

test('what was pasted but not yet read when the page was closed is read when it is opened', async () => {
  const { page, close } = await open(chrome, qili.url);
  await page.fill('.entry textarea', SHEET);
  await page.reload();
  await page.waitForSelector('.record li:nth-child(4)');
  assert.equal(await page.inputValue('.entry textarea'), SHEET);
  await close();
});

test('a picture of the board can be had', async () => {
  const { page, close } = await open(chrome, qili.url);
  const download = page.waitForEvent('download');
  await page.click('text=存图');
  const stream = await (await download).createReadStream();
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const png = Buffer.concat(chunks);
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(png.length > 50000, `${png.length} bytes`);
  assert.equal(png.readUInt32BE(16), 1200);
  await close();
});

test('the page weighs less than 160 KiB', async () => {
  const { page, context, close } = await open(chrome, qili.url);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let weight = 0;
  session.on('Network.loadingFinished', (event) => { weight += event.encodedDataLength; });
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.reload({ waitUntil: 'networkidle' });
  console.log(`the page weighs ${weight} bytes`);
  assert.ok(weight > 30000 && weight < 160 * 1024, `${weight} bytes`);
  await close();
});

test('moves are called what the service calls them', async () => {
  const { page, close } = await open(chrome, qili.url);
  const { cases } = await qili.get('v1/cases');
  const read = [];
  for (const one of cases) read.push(await qili.post('v1/games:read', { text: `${one.fen} ${one.moves.join(' ')}` }));
  const names = await page.evaluate(async (read) => {
    const base = document.querySelector('script[type=module]').src;
    const { positions, chinese } = await import(new URL('chess.js', base));
    return read.map(({ fen, moves }) => {
      const all = positions(fen, moves.map((move) => move.iccs));
      return moves.map((move, ply) => chinese(all[ply], move.iccs));
    });
  }, read);
  assert.deepEqual(names, read.map(({ moves }) => moves.map((move) => move.chinese)));
  await close();
});
