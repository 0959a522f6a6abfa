// The certificate of a ruling: asked for beside it, and verified by who did not make it, in this browser where it can.

import { html } from './preact.js';
import { say } from './words.js';
import { questionOf } from './local.js';
import { save } from './board.js';
import * as api from './api.js';

const VERIFY = '/v1/proofs:verify';

/// Has a ruling proved, and the proof verified against what the ruling says: the certificate it was kept with, or one made now.
export async function certify(ruling, request, options) {
  const { proof, unproved, unproved_zh: unprovedZh } = ruling.proof ? ruling : await api.post('/v1/rulings', { ...request, explain: 'proof' }, options);
  if (!proof) return { unproved, unprovedZh };
  const { rules, moves, verdict } = ruling;
  const carried = { rules, moves, verdict, proof };
  const here = Boolean(questionOf('POST', VERIFY, carried));
  return { proof, here, ...await api.post(VERIFY, carried, options) };
}

/// What verifying came to, in a line.
export function Certificate({ certified, name }) {
  if (!certified || (!certified.proof && !certified.unproved)) return html`<p class="certificate note">${certified === undefined ? say('核验中…', 'Verifying…') : ''}</p>`;
  const { proof, unproved, unprovedZh, verified, here, moves, claim, detail, detail_zh: zh } = certified;
  if (!proof) return html`<p class="certificate note">${say(`没有证书可核验：${unprovedZh}。`, `There is no certificate to verify: ${unproved}.`)}</p>`;
  const bytes = JSON.stringify(proof);
  const by = here ? say('此浏览器自行', 'by this browser itself') : say('服务器', "by the service's verifier");
  return html`<p class="certificate ${verified ? 'good' : 'bad'}">${verified
    ? html`<b><span aria-hidden="true">✓</span> ${say('已核验', 'Verified')}</b>${say(`（${by}）：${moves}着与裁决，证书逐一证实。`, ` ${by}: ${moves} moves and the verdict are proved.`)}`
    : html`<b><span aria-hidden="true">✗</span> ${say('核验不成立', 'Not verified')}</b>${say('：证书与所裁不符，请勿采用。', ': the certificate does not bear the ruling out; do not rely on it.')} <span lang="en">${claim}</span>${say(`：${zh}`, `: ${detail}`)}`}
    <button type="button" class="link" onClick=${() => save(new Blob([bytes, '\n'], { type: 'application/json' }), `${name}.proof.json`)}>${say('下载证书', 'Download it')}</button></p>`;
}
