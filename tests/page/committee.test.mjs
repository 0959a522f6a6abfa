// A committee looks through the library and tries an amendment.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { LANGUAGES, SIZES, browser, open, service } from './harness.mjs';

let qili;
let chrome;
before(async () => { [qili, chrome] = [await service(), await browser()]; });
after(async () => { await chrome.close(); await qili.stop(); });

const text = async (download) => {
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

for (const size of Object.keys(SIZES)) {
  for (const language of LANGUAGES) {
    test(`the library is searched and a case opened as a dispute (${size}, ${language})`, async () => {
      const { page, close } = await open(chrome, qili.url, { size, language, hash: '#cases' });
      await page.waitForSelector('.cases li');
      // The list grows as it is scrolled, to the last case.
      const counted = async (query) => {
        const { count } = await qili.get(`v1/cases?${query}`);
        await page.waitForFunction((count) => {
          const more = document.querySelector('.more[data-next]');
          if (more) more.scrollIntoView();
          return document.querySelectorAll('.cases li').length === count && !more;
        }, count);
        await page.evaluate(() => scrollTo(0, 0));
        return count;
      };
      const all = await counted('book=cxa-1999');
      await page.fill('.filters input[type=text]', '24.1');
      assert.ok(await counted('book=cxa-1999&clause=24.1') < all);
      await page.fill('.filters input[type=text]', '');
      await page.fill('.filters input[type=search]', language === 'zh' ? '长将' : 'perpetual check');
      const searched = await counted(`book=cxa-1999&text=${encodeURIComponent(language === 'zh' ? '长将' : 'perpetual check')}`);
      assert.ok(searched > 0 && searched < all, `${searched} of ${all}`);
      await page.fill('.filters input[type=search]', '');
      await counted('book=cxa-1999');
      await page.selectOption('.filters select >> nth=1', 'kill');
      await counted('book=cxa-1999&nature=kill');
      await page.selectOption('.filters select >> nth=2', 'draw');
      await counted('book=cxa-1999&nature=kill&verdict=draw');
      await page.selectOption('.filters select >> nth=1', '');
      await page.selectOption('.filters select >> nth=2', 'loss');
      await page.waitForSelector('a[href="#cases=cxa-1999-01"]');
      await page.click('a[href="#cases=cxa-1999-01"]');
      await page.waitForSelector('.verdict .headline');
      assert.equal(await page.textContent('.verdict .headline'), language === 'zh' ? '红方判负' : 'Red loses');
      assert.ok((await page.textContent('.why')).length > 40);
      await page.waitForSelector('.books tr:nth-child(6) .outcome');
      await page.click('.verdict .primary');
      await page.waitForSelector('.arbiter .verdict');
      await close();
    });
  }
}

for (const language of LANGUAGES) {
  test(`an amendment is written in the form and flips cases (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language, hash: '#amend', allowed: /status of 422/ });
    await page.waitForSelector('.parameter');
    await page.click('.primary.big');
    await page.waitForSelector('.fault li');
    assert.equal(await page.locator('.fault li').count(), 1, 'only that nothing is changed');
    const parameter = page.locator('.parameter', { hasText: 'kill_is_attack' });
    await parameter.locator('select').selectOption('false');
    assert.match(await parameter.getAttribute('class'), /changed/);
    // One language is enough, and for a comparison none.
    for (const [at, value] of [[0, 'no-kills'], [1, '杀不为打'], [3, '试拟']]) {
      await page.fill(`.grid input >> nth=${at}`, value);
    }
    await page.click('.primary.big');
    await page.waitForSelector('.change');
    const amendment = { id: 'no-kills', title: { zh: '杀不为打', en: '杀不为打' }, reason: { zh: '试拟', en: '试拟' }, effective: '', base: 'cxa-1999', definitions: { kill_is_attack: false } };
    const compared = await qili.post('v1/amendments:compare', { amendment });
    assert.equal(await page.locator('.change').count(), compared.changes.length);
    assert.ok(compared.counts.flipped > 0);
    const change = page.locator('.change').first();
    assert.match(await change.getAttribute('class'), /flipped/, 'what flips stands first');
    await change.locator('summary').click();
    await change.locator('.headline').first().waitFor();
    assert.equal(await change.locator('.headline').count(), 2);
    await change.locator('svg.board').waitFor();
    const json = page.waitForEvent('download');
    await page.click('text=JSON');
    assert.equal(JSON.parse(await text(json)).counts.flipped, compared.counts.flipped);
    const report = page.waitForEvent('download');
    await page.click('text=HTML');
    assert.match(await text(report), /^<!doctype html>/i);
    await page.reload();
    await page.waitForSelector('.parameter.changed');
    await close();
  });
}

test('what is typed into the form counts once it is left: a number, the limit, the clauses of a nature', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#amend' });
  await page.waitForSelector('.parameter');
  const number = page.locator('.parameter.count', { hasText: 'mate_after_capture_depth' });
  await number.locator('input').fill('1');
  assert.doesNotMatch(await number.getAttribute('class'), /changed/);
  await page.click('summary:has-text("裁决")');
  await page.locator('.parameter', { hasText: '自然限着' }).locator('input').fill('70');
  assert.match(await number.getAttribute('class'), /changed/);
  await page.click('summary:has-text("着法所据条款")');
  const clauses = page.locator('details[open] .parameter:not(.count):not(.flag):not(.choice)', { has: page.locator('input[type=text]') }).first();
  await clauses.locator('input').fill('28.1、28.4');
  const sent = page.waitForRequest('**/v1/amendments:compare');
  for (const [at, value] of [[0, 'typed'], [1, '试拟'], [3, '试拟']]) await page.fill(`.grid input >> nth=${at}`, value);
  await page.click('.primary.big');
  const { amendment } = (await sent).postDataJSON();
  assert.equal(amendment.definitions.mate_after_capture_depth, 1);
  assert.equal(amendment.natural_limit.count, 70);
  assert.deepEqual(Object.values(amendment.grounds), [['28.1', '28.4']]);
  await close();
});

for (const language of LANGUAGES) {
  test(`a parameter is tried in one field (${language})`, async () => {
    const { page, close } = await open(chrome, qili.url, { language, hash: '#amend' });
    await page.waitForSelector('.trial select >> nth=2');
    const sent = page.waitForRequest('**/v1/amendments:compare');
    await page.selectOption('.trial select >> nth=1', 'kill_is_attack');
    await page.click('.trial .primary');
    assert.deepEqual((await sent).postDataJSON(), { base: 'cxa-1999', set: ['kill_is_attack=false'] });
    await page.waitForSelector('.change');
    const compared = await qili.post('v1/amendments:compare', { base: 'cxa-1999', set: ['kill_is_attack=false'] });
    const flips = compared.changes.filter((change) => change.kind === 'flipped');
    const rows = await page.locator('.change').evaluateAll((nodes) => nodes.map((node) => [node.className.includes('flipped'), node.getBoundingClientRect().height]));
    assert.equal(rows.length, compared.changes.length);
    assert.deepEqual(rows.map(([flipped]) => flipped), [...flips.map(() => true), ...Array(rows.length - flips.length).fill(false)], 'the flips first');
    const tall = rows.slice(0, flips.length).reduce((sum, [, height]) => sum + height, 0);
    assert.ok(tall < 60 * flips.length, `${flips.length} flips on ${tall} px`);
    await page.click('.change.flipped summary >> nth=0');
    const first = flips[0];
    await page.waitForSelector('.change[open] .headline');
    assert.equal(await page.locator('.change[open] .headline').count(), 2);
    if (compared.changes.length > 3) {
      await page.fill('.compared .filters input', first.id);
      await page.waitForFunction((count) => document.querySelectorAll('.change').length === count, compared.changes.filter((change) => `${change.id} ${change.title.zh} ${change.title.en}`.toLowerCase().includes(first.id)).length);
    }
    await close();
  });
}

test('a book is set against another, over games of one\'s own', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#amend' });
  await page.waitForSelector('.trial select >> nth=2');
  await page.click('.trial button >> text=另一本规则');
  await page.selectOption('.trial select >> nth=1', 'cxa-2020');
  await page.click('.trial .primary');
  await page.waitForSelector('.change');
  const books = await qili.post('v1/amendments:compare', { base: 'cxa-1999', with: 'cxa-2020' });
  assert.equal(books.counts.flipped > 3, true);
  assert.equal(await page.locator('.change.flipped').count(), books.counts.flipped);
  await page.selectOption('.compared .filters select >> nth=0', 'relabelled');
  await page.waitForFunction(() => !document.querySelector('.change.flipped'));
  // What changed is marked.
  await page.click('.change summary >> nth=0');
  await page.waitForSelector('.change[open] .natures .relabelled');
  const first = books.changes.find((change) => change.kind === 'relabelled');
  assert.equal(await page.locator('.change[open] .natures .relabelled').count(), first.changed.length);
  // Red checks on and on: the books rule on it alike, the baseline does not.
  const game = `[Event "x"]\n[FEN "4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1"]\n\n${Array.from({ length: 4 }, () => 'f1e1 e9f9 e1f1 f9e9').join(' ')} *\n`;
  await page.setInputFiles('.trial input[type=file]', { name: 'club.pgn', mimeType: 'text/plain', buffer: Buffer.from(game) });
  await page.waitForSelector('.trial .check');
  await page.uncheck('.trial .check input');
  await page.selectOption('.trial select >> nth=1', 'threefold');
  await page.click('.trial .primary');
  await page.waitForFunction(() => document.querySelectorAll('.change').length === 1);
  assert.match(await page.textContent('.change summary'), /红方判负.*和棋/);
  await page.click('.change summary');
  assert.match(await page.textContent('.change[open]'), /club\.pgn#1/);
  await close();
});

test('a list is loaded as it is scrolled', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#cases' });
  await page.selectOption('.filters select >> nth=0', '');
  // That of the list before is gone when another is asked for, and there again when that has come.
  await page.waitForFunction(() => document.querySelectorAll('.cases li').length === 36 && document.querySelector('.more[data-next]'));
  await page.waitForTimeout(500);
  const asked = [];
  page.on('request', (request) => { if (request.url().includes('/v1/cases?')) asked.push(request.url()); });
  await page.waitForTimeout(300);
  assert.deepEqual(asked, [], 'the rest waits');
  await page.evaluate(() => document.querySelector('.more').scrollIntoView());
  await page.waitForFunction(() => document.querySelectorAll('.cases li').length === 72);
  assert.match(asked[0], /cursor=/);
  await close();
});

test('a list goes on from its own end, not from that of the one before', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#cases' });
  await page.waitForFunction(() => document.querySelectorAll('.cases li').length === 36);
  const [asked, ends] = [[], []];
  await page.route('**/v1/cases?*', async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    const response = await route.fetch();
    asked.push(cursor);
    ends.push((await response.json()).next);
    // The end of the list before is in sight meanwhile.
    if (!cursor) await page.waitForTimeout(600);
    await route.fulfill({ response });
  });
  await page.selectOption('.filters select >> nth=0', 'wxf');
  await page.evaluate(() => document.querySelector('.more').scrollIntoView());
  await page.waitForFunction(() => document.querySelectorAll('.cases li').length === 72);
  assert.equal(asked[0], null, 'it begins anew');
  assert.deepEqual(asked.slice(1).filter((cursor) => !ends.includes(cursor)), []);
  await page.unrouteAll({ behavior: 'wait' });
  await close();
});

test('articles are put in, rewritten and struck, and clauses moved with them', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#amend' });
  await page.waitForSelector('.parameter');
  for (const [at, value] of [[0, 'pawns'], [1, '删'], [2, 'Struck'], [3, '试'], [4, 'Trial']]) await page.fill(`.grid input >> nth=${at}`, value);
  await page.locator('.parameter', { hasText: 'pawn_upgrade' }).locator('select').selectOption('false');
  await page.click('text=着法所据条款');
  const ground = page.locator('.parameter', { hasText: 'pawn_upgrade' }).locator('input');
  await ground.fill('');
  await ground.blur();
  await page.click('summary:has-text("条文")');
  await page.locator('.article', { hasText: '细则11' }).first().locator('text=删去').click();
  const rewritten = page.locator('.article', { has: page.locator('b', { hasText: /^27\.2$/ }) });
  await rewritten.locator('text=改写').click();
  await rewritten.locator('textarea').first().fill('兵、卒自身的捉为闲着。');
  await page.fill('.form .field input[size="8"]', '27.9');
  await page.click('text=加一条');
  const put = page.locator('.article', { has: page.locator('b', { hasText: /^27\.9$/ }) });
  await put.locator('textarea').first().fill('新条文');
  await put.locator('textarea').last().fill('A new article');
  const sent = page.waitForRequest('**/v1/amendments:compare');
  await page.click('.primary.big');
  const { amendment } = (await sent).postDataJSON();
  assert.deepEqual([amendment.strike, amendment.grounds, amendment.articles.map((one) => one.id)], [['细则11'], { pawn_upgrade: [] }, ['27.2', '27.9']]);
  await page.waitForSelector('.change');
  assert.match(await page.textContent('.compared h3'), /3例裁决改变/);
  await close();
});

test('an amendment file is pasted, its faults told by line', async () => {
  const { page, close } = await open(chrome, qili.url, { hash: '#amend', allowed: /status of 422/ });
  await page.click('text=贴文件');
  const file = readFileSync(new URL('../../src/rules/amendments/pawn-upgrade-struck.toml', import.meta.url), 'utf8');
  await page.fill('textarea.code', file.replace('pawn_upgrade = false', 'pawn_upgrad = false'));
  await page.click('.primary.big');
  await page.waitForSelector('.fault li');
  assert.match(await page.textContent('.fault'), /第\d+行：.*pawn_upgrad/);
  await page.fill('textarea.code', file);
  await page.click('.primary.big');
  await page.waitForSelector('.change');
  assert.match(await page.textContent('.compared h3'), /3例裁决改变/);
  await close();
});
