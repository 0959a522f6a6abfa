// Where there is a store: rulings are kept and found again by their numbers, become cases, and
// drafts are written, discussed, revised and compared. Where there is none, that is said.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { LANGUAGES, SIZES, bare, browser, judge, open, paste, printed, service, storing } from './harness.mjs';

const FEN = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w';
const SHEET = `[Event "杯赛 <i>"]\n[Round "3"]\n[Table "7"]\n[Red "甲"]\n[Black "乙"]\n[FEN "${FEN} - - 0 1"]\n\nf0e0 e8f8 e0f0 f8e8 *`;
const say = (language, zh, en) => (language === 'zh' ? zh : en);

let qili;
let chrome;
before(async () => { [qili, chrome] = [await storing(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

for (const size of Object.keys(SIZES)) {
  for (const language of LANGUAGES) {
    test(`a ruling is kept, bears its number on the sheet, and is found again by it (${size}, ${language})`, async () => {
      const { page, close } = await open(chrome, qili.url, { size, language });
      await paste(page, SHEET);
      await judge(page);
      await page.click('.verdict .primary');
      await page.waitForSelector('.page');
      await page.waitForFunction(() => /^裁决书-杯赛 i ?-第3轮-7台$/.test(document.title));
      await page.click(`text=${say(language, '存档并编号', 'Keep, with a number')}`);
      await page.waitForSelector('.page .number b');
      const short = await page.textContent('.page .number b');
      assert.match(short, /^[0-9A-Z]{8}$/);
      const [{ number }] = (await qili.get('v1/rulings?limit=1')).items;
      assert.ok(number.length === 26 && number.endsWith(short));
      await page.waitForFunction((title) => document.title === title, `裁决书-${number}`);
      const kept = await qili.get(`v1/rulings/${number}`);
      assert.deepEqual(kept.record, { event: '杯赛 <i>', round: '3', board: '7', players: { red: '甲', black: '乙' } });
      assert.ok(bare(await printed(page, `kept-${size}-${language}`)).includes(number));
      await page.click('.sheet-actions button:first-child');
      await page.waitForSelector('.arbiter .verdict');
      assert.equal(await page.textContent('.keeping .number b'), number);
      await page.waitForFunction((title) => document.title !== title, `裁决书-${number}`);
      // Somebody else, elsewhere, by the number alone.
      const second = await open(chrome, qili.url, { size, language, hash: '#kept' });
      await second.page.fill('.number-field input', ` ${number.toLowerCase()} `);
      await second.page.click('.log .primary');
      await second.page.waitForSelector('.arbiter .verdict');
      assert.equal(await second.page.textContent('.verdict .headline'), say(language, '红方判负', 'Red loses'));
      assert.equal(await second.page.textContent('.keeping .number b'), number);
      assert.equal(await second.page.locator('.moves .move').count(), 4);
      await second.page.waitForSelector('.books tr:nth-child(6) .outcome');
      await second.page.click(`text=${say(language, '重裁核对', 'Rule again and compare')}`);
      await second.page.waitForSelector(`text=${say(language, '一字不差', 'to the letter')}`);
      await second.page.click('.verdict .primary');
      await second.page.waitForSelector('.page');
      const text = bare(await printed(second.page, `again-${size}-${language}`));
      for (const part of [number, '杯赛<i>', '甲', '乙', say(language, '红方判负', 'Red loses'), '24.1']) assert.ok(text.includes(bare(part)), part);
      await second.page.click('.sheet-actions button:first-child');
      await second.page.waitForSelector('.arbiter .verdict');
      assert.equal(new URL(second.page.url()).hash, `#ruling=${number}`);
      // What is changed is no longer what was kept.
      await second.page.selectOption('.entry select', 'threefold');
      await second.page.waitForFunction((draw) => document.querySelector('.verdict .headline')?.textContent === draw, say(language, '和棋', 'Draw'));
      assert.equal(await second.page.locator('.keeping .number').count(), 0);
      await second.page.waitForFunction(() => !window.location.hash.includes('ruling='));
      await second.page.check('.verdict .check input');
      await second.page.click(`text=${say(language, '存档并编号', 'Keep, with a number')}`);
      await second.page.waitForSelector('.keeping .number b');
      const newer = await second.page.textContent('.keeping .number b');
      assert.equal((await qili.get(`v1/rulings/${newer}`)).record.supersedes, number);
      await second.close();
      const third = await open(chrome, qili.url, { size, language, hash: `#ruling=${number}` });
      await third.page.waitForSelector('.keeping .fault');
      assert.match(await third.page.textContent('.keeping .fault'), new RegExp(newer));
      await third.page.click('.keeping .fault a');
      await third.page.waitForFunction((newer) => document.querySelector('.keeping .number b')?.textContent === newer, newer);
      await third.close();
      await close();
    });
  }
}

test('the rulings that were kept are listed, and a number there is none of is told', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#ruling=01KAJ1BXM0V9S4N7Q2ZC8TD6WE', allowed: /status of 404/ });
  await page.waitForSelector('.log .fault');
  assert.match(await page.textContent('.log .fault'), /没有编号为“01KAJ1BXM0V9S4N7Q2ZC8TD6WE”的裁决/);
  assert.equal(await page.inputValue('.number-field input'), '01KAJ1BXM0V9S4N7Q2ZC8TD6WE');
  await page.waitForSelector('.log .rows li');
  const counted = async (query) => {
    const { items } = await qili.get(`v1/rulings?${query}`);
    await page.waitForFunction((count) => document.querySelectorAll('.log .rows li').length === count, items.length);
    return items.length;
  };
  const all = await counted('limit=30');
  await page.selectOption('.log .filters select >> nth=1', 'loss');
  assert.ok(await counted('limit=30&outcome=loss') < all);
  await page.fill('.log .filters input >> nth=0', '没有的赛事');
  assert.equal(await counted(`limit=30&event=${encodeURIComponent('没有的赛事')}`), 0);
  await page.waitForSelector('text=没有符合的裁决');
  await page.fill('.log .filters input >> nth=0', '');
  await page.waitForSelector('.log .rows li');
  await page.click('.log .rows a >> nth=0');
  await page.waitForSelector('.arbiter .verdict');
  await close();
});

test('a kept ruling stands still though the service says late whether it keeps', async () => {
  const { number } = (await qili.get('v1/rulings?limit=1')).items[0];
  const { page, close } = await open(chrome, qili.url, { size: 'phone', hash: `#ruling=${number}`, late: /\/readyz$/ });
  await page.waitForSelector('.verdict .certificate');
  await page.waitForFunction(() => performance.getEntriesByType('resource').some((one) => one.name.endsWith('/readyz')));
  await page.waitForSelector('.keeping .number b');
  await page.waitForSelector('.certificate.good');
  await close();
});

for (const language of LANGUAGES) {
  test(`a ruling becomes a case of the library (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language, allowed: /status of 4/ });
    await paste(page, SHEET);
    await judge(page);
    assert.equal(await page.locator('.keeping').count(), 0, 'what is not kept is no case');
    await page.click(`text=${say(language, '存档并编号', 'Keep, with a number')}`);
    await page.waitForSelector('.keeping .number b');
    await page.click(`text=${say(language, '存为判例', 'Make it a case')}`);
    await page.fill('.naming input >> nth=0', 'cxa-1999-01');
    await page.fill('.naming input >> nth=1', '独车长将');
    await page.click('.naming .primary');
    await page.waitForSelector('.verdict .fault');
    const number = await page.textContent('.keeping .number b');
    await page.fill('.naming input >> nth=0', `club-${language}`);
    await page.click('.naming .primary');
    const link = page.locator(`.keeping a[href="#cases=club-${language}"]`);
    await link.waitFor();
    assert.equal(await page.textContent('.keeping .number b'), number, 'it is kept once');
    await link.click();
    await page.waitForSelector('.library .verdict');
    assert.match(await page.textContent('.library h2'), /独车长将/);
    await page.click('.library button >> nth=0');
    await page.selectOption('.filters select >> nth=3', 'own');
    await page.waitForSelector(`.cases a[href="#cases=club-${language}"]`);
    const { count } = await qili.get('v1/cases?origin=own&book=cxa-1999');
    await page.waitForFunction((count) => document.querySelectorAll('.cases li').length === count, count);
    await close();
  });
}

for (const [size, language] of [['desktop', 'zh'], ['phone', 'en']]) {
  test(`a draft is kept, listed, discussed, revised, compared and opened again (${size})`, async () => {
    const id = `trial-${language}`;
    const { page, close } = await open(chrome, qili.url, { size, language, hash: '#amend' });
    // A slow service: what it adds stands where its room was kept.
    if (size === 'phone') await page.route(/\/v1\/drafts/, async (route) => { await page.waitForTimeout(600); await route.continue(); });
    await page.waitForSelector('.parameter');
    for (const [at, value] of [[0, id], [1, '杀不为打'], [2, 'Kills do not count'], [3, '试拟'], [4, 'A trial']]) await page.fill(`.grid input >> nth=${at}`, value);
    await page.locator('.parameter', { hasText: 'kill_is_attack' }).locator('select').selectOption('false');
    await page.click('.bar button >> nth=1');
    await page.waitForSelector('.discussion');
    assert.equal(new URL(page.url()).hash, `#amend=${id}`);
    // Said, and markup stays text.
    await page.fill('.discussion textarea', '与细则相抵 <b>吗</b>？');
    await page.click('.discussion form button');
    await page.waitForSelector('.notes li');
    assert.match(await page.textContent('.notes li'), /与细则相抵 <b>吗<\/b>？/);
    // Decided.
    await page.selectOption('.discussion select', 'proposed');
    const version = (n) => page.waitForFunction((n) => new RegExp(`第${n}版|version ${n}`).test(document.querySelector('.discussion header').textContent), n);
    await version(2);
    assert.equal((await qili.get(`v1/drafts/${id}`)).status, 'proposed');
    // Revised.
    await page.locator('.parameter', { hasText: 'pawn_upgrade' }).locator('select').selectOption('false');
    await page.click('.bar button >> nth=1');
    await version(3);
    const kept = await qili.get(`v1/drafts/${id}`);
    assert.deepEqual(JSON.parse(kept.amendment).definitions, { kill_is_attack: false, pawn_upgrade: false });
    assert.equal(kept.status, 'proposed');
    // Compared, and the comparison is kept.
    await page.click('.discussion details:nth-of-type(2) .actions button');
    await page.waitForSelector('.change');
    const { reports } = await qili.get(`v1/drafts/${id}`);
    assert.equal(reports.length, 1);
    const full = await qili.get(`v1/drafts/${id}/reports/${reports[0].number}`);
    assert.equal(await page.locator('.change').count(), full.changes.length);
    // Opened again: from the list, with all that belongs to it.
    await page.goto(`${qili.url}#amend`);
    await page.reload();
    await page.waitForSelector('.drafts li');
    assert.equal(await page.inputValue('.grid input >> nth=0'), '', 'a new one begins empty');
    await page.click(`.drafts a[href="#amend=${id}"]`);
    await page.waitForSelector('.parameter.changed >> nth=1');
    assert.equal(await page.locator('.notes li').count(), 1);
    await page.click('.discussion details:nth-of-type(2) li button');
    await page.waitForSelector('.change');
    assert.match(await page.textContent('.compared h3'), new RegExp(`${full.counts.flipped}`));
    // An older version is looked at, and becomes the newest.
    await page.click('.discussion details:nth-of-type(3) summary');
    assert.equal(await page.locator('.discussion details:nth-of-type(3) li').count(), 3);
    await page.fill('.grid input >> nth=4', 'Not kept yet');
    await page.click('.discussion details:nth-of-type(3) li:last-child button');
    await page.waitForFunction(() => document.querySelectorAll('.parameter.changed').length === 1);
    assert.equal(await page.inputValue('.grid input >> nth=4'), 'A trial');
    await page.click(`text=${say(language, '取回所写', 'Bring back what I wrote')}`);
    assert.equal(await page.inputValue('.grid input >> nth=4'), 'Not kept yet');
    await page.click(`text=${say(language, '放弃改动', 'Discard the changes')}`);
    await page.waitForFunction(() => document.querySelectorAll('.grid input')[4].value === 'A trial');
    await page.click('.discussion details:nth-of-type(3) li:last-child button');
    await page.waitForFunction(() => document.querySelectorAll('.parameter.changed').length === 1);
    await page.click('.bar button >> nth=1');
    await version(4);
    assert.deepEqual(JSON.parse((await qili.get(`v1/drafts/${id}`)).amendment).definitions, { kill_is_attack: false });
    // A dispute is ruled on by it.
    await page.click(`text=${say(language, '按此草案裁决一局', 'Rule on a dispute by it')}`);
    await page.waitForSelector('.entry textarea');
    await paste(page, SHEET);
    assert.equal(await page.inputValue('.entry select'), id);
    await judge(page);
    assert.match(await page.textContent('.verdict .book'), new RegExp(id));
    await close();
  });
}

test('drafts are loaded as their list is scrolled', async () => {
  const file = readFileSync(new URL('../../src/rules/amendments/pawn-upgrade-struck.toml', import.meta.url), 'utf8');
  const many = await storing();
  for (let n = 10; n < 50; n += 1) await many.post('v1/drafts', { amendment: file.replace('"pawn-upgrade-struck"', `"one-${n}"`) });
  const { page, close } = await open(chrome, many.url, { hash: '#amend' });
  await page.waitForFunction(() => document.querySelectorAll('.drafts li').length === 30);
  await page.waitForTimeout(500);
  assert.equal(await page.locator('.drafts li').count(), 30, 'the rest waits');
  const before = await page.locator('.writing').boundingBox();
  await page.evaluate(() => { const box = document.querySelector('.drafts .scrolled'); box.scrollTop = box.scrollHeight; });
  await page.waitForFunction(() => document.querySelectorAll('.drafts li').length === 40);
  assert.equal((await page.locator('.writing').boundingBox()).y, before.y, 'what is below stays');
  await close();
  await many.stop();
});

test('what two people write at once is not lost', async () => {
  const first = await open(chrome, qili.url, { hash: '#amend', allowed: /status of 412/ });
  const file = readFileSync(new URL('../../src/rules/amendments/pawn-upgrade-struck.toml', import.meta.url), 'utf8').replace('"pawn-upgrade-struck"', '"both"');
  await first.page.click('text=贴文件');
  await first.page.fill('textarea.code', file);
  await first.page.click('.bar button >> nth=1');
  await first.page.waitForSelector('.discussion');
  assert.equal(await first.page.inputValue('textarea.code'), file, 'a file stays a file');
  const put = await fetch(`${qili.url}v1/drafts/both`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ status: 'withdrawn' }) });
  assert.equal(put.status, 200);
  await first.page.fill('textarea.code', `${file}# mine\n`);
  await first.page.click('.bar button >> nth=1');
  await first.page.waitForSelector('.committee > .fault');
  assert.match(await first.page.textContent('.committee > .fault'), /别人已存了更新的版本/);
  assert.equal(await first.page.inputValue('textarea.code'), `${file}# mine\n`);
  assert.equal(await first.page.inputValue('.discussion select'), 'withdrawn', 'what the other did is shown');
  // What is not kept survives the browser.
  await first.page.reload();
  await first.page.waitForSelector('.discussion');
  assert.equal(await first.page.inputValue('textarea.code'), `${file}# mine\n`);
  await first.page.click('.bar button >> nth=1');
  await first.page.waitForFunction(() => document.querySelector('.discussion header').textContent.includes('第3版'));
  // What came to be known by a note was not looked at.
  await first.page.fill('textarea.code', `${file}# mine again\n`);
  await fetch(`${qili.url}v1/drafts/both`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ amendment: `${file}# theirs\n` }) });
  await first.page.fill('.discussion form textarea', '再议');
  await first.page.click('.discussion form button');
  await first.page.waitForFunction(() => document.querySelector('.discussion header').textContent.includes('第4版'));
  await first.page.click('.bar button >> nth=1');
  await first.page.waitForSelector('.committee > .fault');
  assert.match(await first.page.textContent('.committee > .fault'), /别人已存了更新的版本/);
  await first.page.click('.bar button >> nth=1');
  await first.page.waitForFunction(() => document.querySelector('.discussion header').textContent.includes('第5版'));
  await first.close();
});

test('what could not be kept is told, stays as it was, and can be kept again', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#amend', allowed: /status of (409|503)/ });
  await page.click('text=贴文件');
  const file = readFileSync(new URL('../../src/rules/amendments/pawn-upgrade-struck.toml', import.meta.url), 'utf8').replace('"pawn-upgrade-struck"', '"again"');
  await page.fill('textarea.code', file);
  let fail = true;
  const away = { status: 503, contentType: 'application/problem+json', body: JSON.stringify({ type: 'urn:qili:problem:store_unavailable', title: '暂时不可用', status: 503, code: 'store_unavailable', detail: '存储暂时不可用 <b>!</b>' }) };
  const route = (path) => page.route(path, (one) => (fail && one.request().method() === 'POST' ? one.fulfill(away) : one.continue()));
  await route('**/v1/drafts');
  await page.click('.bar button >> nth=1');
  await page.waitForSelector('text=存储暂时不可用 <b>!</b>');
  assert.equal(await page.inputValue('textarea.code'), file);
  fail = false;
  await page.click('.bar button >> nth=1');
  await page.waitForSelector('.discussion');
  // The same id a second time.
  await page.evaluate(() => { location.hash = 'amend'; });
  await page.waitForSelector('.drafts');
  await page.click('text=贴文件');
  await page.fill('textarea.code', file);
  await page.click('.bar button >> nth=1');
  await page.waitForSelector('.committee > .fault');
  // A ruling.
  fail = true;
  await page.evaluate(() => { location.hash = ''; });
  await paste(page, SHEET);
  await judge(page);
  await route('**/v1/rulings');
  await page.click('text=存档并编号');
  await page.waitForSelector('.verdict .fault');
  assert.equal(await page.locator('.keeping .number').count(), 0);
  fail = false;
  await page.click('text=存档并编号');
  await page.waitForSelector('.keeping .number b');
  assert.equal(await page.locator('.verdict .fault').count(), 0);
  await close();
});

test('where nothing is kept that is said, and nothing is offered', async () => {
  const none = await service();
  for (const language of LANGUAGES) {
    const { page, close } = await open(chrome, none.url, { language, hash: '#kept' });
    await page.waitForSelector('.kept-nowhere');
    assert.match(await page.textContent('.kept-nowhere'), /--database/);
    await page.evaluate(() => { location.hash = 'amend'; });
    await page.waitForSelector('.committee .kept-nowhere');
    await page.waitForSelector('.parameter');
    assert.equal(await page.locator('.bar button').count(), 2);
    await page.evaluate(() => { location.hash = ''; });
    await paste(page, SHEET);
    await judge(page);
    assert.equal(await page.locator('.verdict .actions button').count(), 3);
    await page.click('.verdict .primary');
    await page.waitForSelector('.page');
    assert.equal(await page.locator('.sheet-actions > button').count(), 2);
    await close();
  }
  await none.stop();
});

test('a service that asks for keys is asked with one', async () => {
  const locked = await storing();
  const key = (await locked.command('keys', 'add', 'hall', '--scopes', 'judge,write,admin')).trim();
  assert.match(key, /^qili_/);
  // The service looks every second at which keys there are.
  while ((await fetch(`${locked.url}v1/rulings`)).status !== 401) await new Promise((done) => { setTimeout(done, 50); });
  const { page, close } = await open(chrome, locked.url, { hash: '#kept', allowed: /status of 401/ });
  await page.waitForSelector('.log .fault input');
  await page.fill('.log .fault input', key);
  await page.click('.log .fault .link');
  await page.waitForSelector('text=还没有存档');
  await page.evaluate(() => { location.hash = ''; });
  await paste(page, SHEET);
  await judge(page);
  await page.click('text=存档并编号');
  await page.waitForSelector('.keeping .number b');
  await page.evaluate(() => { location.hash = 'kept'; });
  await page.waitForSelector('.log .rows li');
  assert.match(await page.textContent('.log .rows li'), /hall/);
  await close();
  await locked.stop();
});

/// Holds back what is to be kept until it may go on.
const held = async (page) => {
  let go = () => {};
  const free = new Promise((done) => { go = done; });
  await page.route('**/v1/rulings', async (route) => {
    const body = route.request().postDataJSON();
    if (body && body.record) await free;
    await route.continue().catch(() => {});
  });
  return go;
};

test('a number goes to the ruling that was kept, and to none that takes its place', async () => {
  const { page, close } = await open(chrome, qili.url);
  for (const from of ['ruling', 'sheet']) {
    await paste(page, SHEET.replace('杯赛 <i>', `慢赛 ${from}`));
    await judge(page);
    const go = await held(page);
    if (from === 'sheet') await page.click('.verdict .primary');
    const kept = page.waitForResponse((response) => response.url().endsWith('/v1/rulings') && (response.request().postData() || '').includes('record'));
    await page.click('text=存档并编号');
    if (from === 'sheet') await page.click('.sheet-actions button:first-child');
    await page.selectOption('.entry select', 'threefold');
    await page.waitForFunction(() => document.querySelector('.verdict .headline')?.textContent === '和棋');
    go();
    await kept;
    await page.waitForTimeout(500);
    assert.equal(await page.locator('.keeping').count(), 0, from);
    const [{ number }] = (await qili.get(`v1/rulings?limit=1&event=${encodeURIComponent(`慢赛 ${from}`)}`)).items;
    assert.notEqual((await qili.get(`v1/rulings/${number}`)).ruling.rules.id, 'threefold');
    await page.unroute('**/v1/rulings');
    await page.selectOption('.entry select', 'cxa-1999');
    await page.waitForFunction(() => document.querySelector('.verdict .headline')?.textContent === '红方判负');
    await page.click('text=另裁一局');
  }
  await close();
});

test('what is said of one kept ruling is not said of the next', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, SHEET);
  await judge(page);
  await page.click('text=存档并编号');
  await page.click('text=重裁核对');
  await page.waitForSelector('text=一字不差');
  await page.selectOption('.entry select', 'threefold');
  await page.waitForFunction(() => document.querySelector('.verdict .headline')?.textContent === '和棋');
  await page.click('text=存档并编号');
  await page.waitForSelector('.keeping .number b');
  assert.equal(await page.textContent('.keeping .said'), '');
  await close();
});

test('a change of book that fails leaves the ruling that stands, with its number', async () => {
  const { page, close } = await open(chrome, qili.url, { allowed: /status of 503/ });
  await paste(page, SHEET);
  await judge(page);
  await page.click('text=存档并编号');
  await page.waitForSelector('.keeping .number b');
  const number = await page.textContent('.keeping .number b');
  await page.route('**/v1/rulings', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ title: '忙', status: 503, code: 'busy', detail: '请稍后再试' }) }));
  await page.selectOption('.entry select', 'threefold');
  await page.waitForSelector('.entry .fault');
  assert.match(await page.textContent('.entry .fault'), /请稍后再试/);
  assert.equal(await page.textContent('.verdict .headline'), '红方判负');
  assert.equal(await page.textContent('.keeping .number b'), number);
  await page.waitForFunction(() => document.querySelector('.entry select').value === 'cxa-1999');
  await close();
});

test('names too long for what is kept are cut, and one that is filled in afterwards is said to stand on the paper only', async () => {
  const { page, close } = await open(chrome, qili.url);
  await paste(page, SHEET.replace('杯赛 <i>', '长'.repeat(300)));
  await judge(page);
  await page.click('text=存档并编号');
  await page.waitForSelector('.keeping .number b');
  const number = await page.textContent('.keeping .number b');
  assert.equal((await qili.get(`v1/rulings/${number}`)).record.event, '长'.repeat(80));
  await page.click('.verdict .primary');
  await page.waitForSelector('.page');
  assert.equal(await page.locator('.sheet-actions .note').count(), 1);
  await page.fill('.blank.red input', '丙');
  await page.waitForSelector('text=只印在纸上');
  await page.fill('.blank.red input', '甲');
  await page.waitForSelector('text=只印在纸上', { state: 'detached' });
  await close();
});

test('what is written while something is being kept is not lost', async () => {
  const id = 'meanwhile';
  await qili.post('v1/drafts', { amendment: { id, base: 'cxa-1999', title: { zh: '题', en: 'T' }, reason: { zh: '因', en: 'R' }, effective: '', definitions: { kill_is_attack: false } } });
  const { page, close } = await open(chrome, qili.url, { hash: `#amend=${id}` });
  await page.waitForSelector('.parameter');
  let go = () => {};
  await page.route('**/v1/drafts/**', async (route) => {
    if (route.request().method() !== 'GET') await new Promise((done) => { go = done; });
    await route.continue();
  });
  const reason = '.grid input >> nth=3';
  await page.fill(reason, '新理由');
  let asked = page.waitForRequest((request) => request.method() === 'PUT');
  await page.click('text=存为新版');
  await asked;
  await page.fill(reason, '新理由，又添一段');
  go();
  await page.waitForSelector('text=已存为第2版');
  await page.reload();
  await page.waitForSelector('.parameter');
  assert.equal(await page.inputValue(reason), '新理由，又添一段');
  assert.match(await page.textContent('.writing h3'), /据第2版/);
  asked = page.waitForRequest((request) => request.method() === 'POST');
  await page.fill('.discussion textarea', '第一条');
  await page.click('.discussion form button');
  await asked;
  await page.fill('.discussion textarea', '第二条，正在写');
  go();
  await page.waitForSelector('.notes li:not([key=now])');
  await page.waitForFunction(() => !document.querySelector('.discussion form button').textContent.includes('存…'));
  assert.equal(await page.inputValue('.discussion textarea'), '第二条，正在写');
  await close();
});
