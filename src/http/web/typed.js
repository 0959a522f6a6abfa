// A field whose value counts once it is left.

import { html, useState } from './preact.js';

/// What is typed stands until then, whatever is drawn anew around it meanwhile.
export function Typed({ value, onValue, ...field }) {
  const [typed, setTyped] = useState(null);
  return html`<input ...${field} value=${typed === null ? value : typed} onInput=${(event) => setTyped(event.target.value)}
    onChange=${(event) => { setTyped(null); onValue(event.target.value); }} onBlur=${() => setTyped(null)} />`;
}
