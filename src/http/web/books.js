// Rule books as rulings name them: published ones, and those with a draft over them.

import * as api from './api.js';

export const draftPath = (id, rest = '') => `/v1/drafts/${encodeURIComponent(id)}${rest}`;

/// An amendment as it was kept: what a JSON text says, or the text of a TOML file.
export function readAmendment(text) {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/// A book as it is under an amendment; what cannot be told of a file is left out.
export function amended(book, amendment) {
  if (!book) return null;
  if (typeof amendment === 'string') return { ...book, verdicts: null, articles: book.articles.filter((one) => !amendment.includes(one.id)) };
  const put = amendment.articles || [];
  const gone = [...(amendment.strike || []), ...put.map((one) => one.id)];
  return {
    ...book, definitions: { ...book.definitions, ...amendment.definitions }, verdicts: { ...book.verdicts, ...amendment.verdicts },
    articles: [...book.articles.filter((one) => !gone.includes(one.id)), ...put],
  };
}

/// The book of a ruling: a published one, or one with a draft over it (`cxa-1999+trial`), at the version it was asked for by.
export async function bookOf(rules, asked = '') {
  const [base, id] = rules.split('@')[0].split('+');
  if (id && asked.includes('@')) return api.ruleset(asked);
  const book = await api.ruleset(base);
  if (!id) return book;
  return amended(book, readAmendment((await api.get(draftPath(id))).amendment));
}
