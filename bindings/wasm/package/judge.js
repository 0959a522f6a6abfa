// The judge in this thread: questions in, answers out, over one WebAssembly module without imports.

const writer = new TextEncoder();
const reader = new TextDecoder();

let characters;
/** The characters of GB18030 in the order of their numbers, those of two bytes, then those of four; 0 where there is none. */
function gb18030() {
  if (characters) return characters;
  const bytes = [];
  for (let one = 0x81; one <= 0xfe; one += 1) {
    for (let two = 0x40; two <= 0xfe; two += 1) if (two !== 0x7f) bytes.push(one, two, 10);
  }
  for (let n = 0; n < 39420; n += 1) bytes.push(0x81 + Math.floor(n / 12600), 0x30 + (Math.floor(n / 1260) % 10), 0x81 + (Math.floor(n / 10) % 126), 0x30 + (n % 10), 10);
  const told = new TextDecoder('gb18030').decode(new Uint8Array(bytes)).split('\n');
  told.pop();
  const table = new DataView(new ArrayBuffer(told.length * 2));
  told.forEach((one, at) => table.setUint16(at * 2, one.length === 1 && one !== '\ufffd' ? one.charCodeAt(0) : 0, true));
  characters = new Uint8Array(table.buffer);
  return characters;
}

/** What is wrong with a question, and where. */
export class QiliError extends Error {
  constructor(told, id) {
    super(told.detail);
    this.name = 'QiliError';
    Object.assign(this, told);
    this.id = id ?? null;
  }
}

/** An error as it travels between threads, and back. */
export const packed = (error) => (error instanceof QiliError ? { told: { ...error, message: undefined }, id: error.id } : { broken: String(error) });
export const unpacked = (told) => (told.told ? new QiliError(told.told, told.id) : new Error(told.broken));

export class Judge {
  #module;
  #of;
  #names;
  #canReadFiles;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#start();
  }

  #start() {
    this.#of = new WebAssembly.Instance(this.#module, {}).exports;
    this.#canReadFiles = false;
    this.#of.qili_operations();
    this.#names = this.#told().split(' ');
  }

  #told() {
    const from = this.#of.qili_told();
    return reader.decode(new Uint8Array(this.#of.memory.buffer, from, this.#of.qili_told_length()));
  }

  #write(bytes) {
    const at = this.#of.qili_question(bytes.length);
    if (at === 0) throw new QiliError({ code: 'body_too_large', detail: `${bytes.length} bytes are too many`, detail_zh: `共${bytes.length}字节，过长` });
    new Uint8Array(this.#of.memory.buffer).set(bytes, at);
  }

  /** The names of the operations. */
  get operations() {
    return [...this.#names];
  }

  /** Asks by name: a text or bytes in, the text of the answer out, to the byte what the command says. */
  ask(operation, question = '') {
    const number = this.#names.indexOf(operation);
    if (number < 0) {
      const known = this.#names.join(', ');
      throw new QiliError({ code: 'unknown_operation', detail: `there is no operation \`${operation}\`, but ${known}`, detail_zh: `没有操作“${operation}”，只有${known}` });
    }
    const bytes = typeof question === 'string' ? writer.encode(question) : question;
    let status;
    try {
      if (operation === 'list' && !this.#canReadFiles) {
        this.#write(gb18030());
        this.#of.qili_characters();
        this.#canReadFiles = true;
      }
      this.#write(bytes);
      status = this.#of.qili_answer(number);
    } catch (error) {
      if (error instanceof QiliError) throw error;
      // It stopped in the middle of its work: what it had in hand is not to be trusted.
      this.#start();
      throw new QiliError({ code: 'internal', detail: `the judge broke off: ${error.message}`, detail_zh: `裁决中断：${error.message}` });
    }
    const told = this.#told();
    if (status === 0) return told;
    const { id, error } = JSON.parse(told);
    throw new QiliError(error, id);
  }
}

const asJson = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The operations as methods, over whatever asks: at once, or by a promise. */
export function methods(ask) {
  const parsed = (told) => (told instanceof Promise ? told.then(JSON.parse) : JSON.parse(told));
  const json = (operation) => (question = {}) => parsed(ask(operation, asJson(question)));
  return {
    judge: json('judge'),
    verify: json('verify'),
    audit: json('audit'),
    next: json('next'),
    classify: json('classify'),
    limit: json('limit'),
    books: json('books'),
    version: json('version'),
    book(id) {
      return json('book')({ id });
    },
    /** A text is read as a score sheet, bytes as a file. */
    read(from, game) {
      return json('read')(game ? { text: from, game } : { text: from });
    },
    list(file) {
      return parsed(ask('list', file));
    },
    board(position, options = {}) {
      return ask('board', JSON.stringify(typeof position === 'string' ? { fen: position, ...options } : position));
    },
  };
}

/** A judge in this thread. */
export function judgeOf(module) {
  const judge = new Judge(module);
  const ask = (operation, question) => judge.ask(operation, question);
  return { ask, operations: judge.operations, ...methods(ask) };
}
