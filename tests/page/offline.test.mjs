// The service goes away, or fails: nothing entered is lost, and it is said plainly.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES, SIZES, UNREACHABLE, browser, judge, open, paste, service } from './harness.mjs';

const TEXT = '2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w 车四平五 将5平6 车五平四 将6平5';
let chrome;
before(async () => { chrome = await browser(); });
after(async () => { await chrome.close(); });
const square = (name) => `#board [data-square="${name}"]`;

for (const size of Object.keys(SIZES)) {
  for (const language of LANGUAGES) {
    test(`the service is stopped after the page was loaded, and comes back (${size}, ${language})`, async () => {
      let qili = await service();
      const { page, close } = await open(chrome, qili.url, { size, language, allowed: UNREACHABLE });
      await paste(page, TEXT);
      await page.waitForSelector('.record li:nth-child(4)');
      await qili.stop();
      await page.click('.entry .primary');
      const alert = page.locator('.entry .fault');
      await alert.waitFor();
      assert.match(await alert.textContent(), language === 'zh' ? /连不上 qili，不能裁决/ : /does not answer, so nothing can be ruled on/);
      assert.equal(await page.inputValue('.entry textarea'), TEXT);
      // The board is still played on and set up. It may have heard what is legal before.
      await page.click(square('f0'));
      await page.click(square('e0'));
      await page.waitForSelector('.record li:nth-child(5)');
      await page.click(`text=${language === 'zh' ? '撤销' : 'Undo'}`);
      await page.click('.tools button[aria-pressed]');
      await page.click('.tray-piece >> nth=6');
      await page.click(square('a4'));
      assert.equal(await page.locator(`${square('a4')}.piece`).count(), 1);
      await page.click(`text=${language === 'zh' ? '撤销' : 'Undo'}`);
      await page.click(`text=${language === 'zh' ? '撤销' : 'Undo'}`);
      // A FEN and squares are read without the service.
      await page.fill('.entry textarea', '4k4/9/9/9/9/9/9/9/9/3KR4 w e0e4');
      await page.waitForFunction(() => document.querySelectorAll('.record li').length === 1);
      qili = await service(qili.port);
      await page.fill('.entry textarea', TEXT);
      await page.waitForSelector('.record li:nth-child(4)');
      await judge(page);
      assert.equal(await page.textContent('.verdict .headline'), language === 'zh' ? '红方判负' : 'Red loses');
      assert.equal(await page.locator('.fault').count(), 0);
      await close();
      await qili.stop();
    });
  }
}

test('a failed call is told in the words of the service, and can be tried again', async () => {
  const qili = await service();
  for (const language of LANGUAGES) {
    const { page, close } = await open(chrome, qili.url, { language, allowed: /status of 503|status of 500/ });
    await paste(page, TEXT);
    let fail = true;
    await page.route('**/v1/rulings', (route) => (fail
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ type: 'urn:qili:problem:busy', title: '暂时繁忙', status: 503, code: 'busy', detail: '请稍后再试 <b>!</b>' }) })
      : route.continue()));
    await page.click('.entry .primary');
    await page.waitForSelector('.entry .fault');
    assert.match(await page.textContent('.entry .fault'), /暂时繁忙 请稍后再试 <b>!<\/b>/);
    assert.equal(await page.inputValue('.entry textarea'), TEXT);
    fail = false;
    await judge(page);
    await close();
  }
  await qili.stop();
});

const OPENING = '炮二平五 马8进7 马二进三 车9平8';
const told = (status, code, detail) => ({ status, contentType: 'application/problem+json', body: JSON.stringify({ title: detail, status, code, detail }) });

test('a text that could not be read is not ruled on as the one before it, but read again', async () => {
  const qili = await service();
  const { page, close } = await open(chrome, qili.url, { allowed: /status of (429|503|401)/ });
  await paste(page, TEXT);
  await page.waitForSelector('.record li:nth-child(4)');
  await page.route('**/v1/games:read', (route) => route.fulfill(told(429, 'rate_limited', '请求太多')));
  await paste(page, OPENING);
  await page.waitForSelector('.entry .fault');
  const again = page.waitForResponse('**/v1/games:read');
  await page.click('.entry .primary');
  await again;
  await page.waitForSelector('.entry .fault');
  await page.waitForTimeout(500);
  assert.equal(await page.locator('.verdict').count(), 0);
  await page.unroute('**/v1/games:read');
  await judge(page);
  assert.match(await page.textContent('.record'), /炮二平五/);
  assert.equal(await page.locator('.entry .fault').count(), 0);
  // What failed before the newest text was read says nothing of it.
  await page.click('.entry button:last-of-type');
  let first = true;
  await page.route('**/v1/games:read', async (route) => {
    if (!first) { await route.continue(); return; }
    first = false;
    await page.waitForTimeout(800);
    await route.fulfill(told(503, 'busy', '服务忙'));
  });
  const asked = page.waitForRequest('**/v1/games:read');
  await page.fill('.entry textarea', '炮二');
  await asked;
  await page.fill('.entry textarea', TEXT);
  await page.waitForSelector('.record li:nth-child(4)');
  await page.waitForTimeout(1000);
  assert.equal(await page.locator('.entry .fault').count(), 0);
  await close();
  await qili.stop();
});

test('a key that is given has the text read that asked for it; what cannot be one is refused', async () => {
  const qili = await service();
  const { page, close } = await open(chrome, qili.url, { allowed: /status of 401/ });
  await page.route('**/v1/games:read', (route) => (route.request().headers().authorization === 'Bearer qili_good' ? route.continue() : route.fulfill(told(401, 'unauthorized', '要密钥'))));
  await paste(page, TEXT);
  await page.fill('.told .field input', '密钥：qili_good');
  await page.waitForSelector('.told .field [role=alert]');
  assert.match(await page.textContent('.told .field [role=alert]'), /密钥只有/);
  await page.fill('.told .field input', 'qili_good');
  await page.waitForSelector('.record li:nth-child(4)');
  assert.equal(await page.locator('.entry .fault').count(), 0);
  await judge(page);
  await close();
  await qili.stop();
});

for (const language of LANGUAGES) {
  test(`who answers in place of qili is told, and that it is slow to answer (${language})`, async () => {
    const qili = await service();
    const { page, close } = await open(chrome, qili.url, { language });
    await paste(page, TEXT);
    await page.waitForSelector('.record li:nth-child(4)');
    await page.route('**/v1/rulings', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<html>log in</html>' }));
    await page.click('.entry .primary');
    await page.waitForSelector('.entry .fault');
    assert.match(await page.textContent('.entry .fault'), language === 'zh' ? /答复的不是 qili/ : /what answered is not qili/i);
    await page.unroute('**/v1/rulings');
    let go = () => {};
    await page.route('**/v1/rulings', async (route) => { await new Promise((done) => { go = done; }); await route.continue().catch(() => {}); });
    await page.click('.entry .primary');
    await page.waitForSelector(`text=${language === 'zh' ? '久未答复' : 'slow to answer'}`);
    await page.unroute('**/v1/rulings');
    go();
    await page.waitForSelector('.arbiter .verdict');
    await page.waitForSelector(`text=${language === 'zh' ? '久未答复' : 'slow to answer'}`, { state: 'detached' });
    await close();
    await qili.stop();
  });
}
