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
      const counted = async (query) => {
        const { count } = await qili.get(`v1/cases?${query}`);
        await page.waitForFunction((count) => document.querySelectorAll('.cases li').length === count, count);
        return count;
      };
      const all = await counted('book=cxa-1999');
      await page.fill('.filters input', '24.1');
      assert.ok(await counted('book=cxa-1999&clause=24.1') < all);
      await page.fill('.filters input', '');
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
    assert.ok(await page.locator('.fault li').count() >= 3, 'every fault is told');
    for (const [at, value] of [[0, 'no-kills'], [1, '杀不为打'], [2, 'Kills do not count'], [3, '试拟'], [4, 'A trial']]) {
      await page.fill(`.grid input >> nth=${at}`, value);
    }
    const parameter = page.locator('.parameter', { hasText: 'kill_is_attack' });
    await parameter.locator('select').selectOption('false');
    assert.match(await parameter.getAttribute('class'), /changed/);
    await page.click('.primary.big');
    await page.waitForSelector('.change');
    const amendment = { id: 'no-kills', title: { zh: '杀不为打', en: 'Kills do not count' }, reason: { zh: '试拟', en: 'A trial' }, effective: '', base: 'cxa-1999', definitions: { kill_is_attack: false } };
    const compared = await qili.post('v1/amendments:compare', { amendment });
    assert.equal(await page.locator('.change').count(), compared.changes.length);
    assert.ok(compared.counts.flipped > 0);
    const change = page.locator('.change').first();
    await change.scrollIntoViewIfNeeded();
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
