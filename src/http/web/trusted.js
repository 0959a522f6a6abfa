// Addresses of scripts of this page's own, for browsers that ask who says so.

let policy;
/// Where the page has no judge no policy may be made, and none is needed.
const own = () => {
  policy ??= globalThis.trustedTypes && trustedTypes.createPolicy('qili', { createScriptURL: (url) => url });
  return policy;
};

export function trusted(name) {
  const url = new URL(name, import.meta.url);
  if (url.origin !== location.origin) throw new TypeError(`${url} is no script of this page`);
  return own() ? own().createScriptURL(url.href) : url;
}
