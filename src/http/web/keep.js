// What stays in this browser, or in this tab of it: the entry, the choice of language and looks.

const PREFIX = 'qili.';

export function kept(name, fallback, where = 'localStorage') {
  try {
    const text = window[where].getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function keep(name, value, where = 'localStorage') {
  try {
    window[where].setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still judges.
  }
}
