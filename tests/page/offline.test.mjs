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
