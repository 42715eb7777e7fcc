import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Parameters of RFC 7914; one check takes about 0.1 s and 32 MiB. They stand in each hash, so that
 * they can be raised later.
 */
const cost = 32_768;
const blockSize = 8;
const parallel = 1;
const saltBytes = 16;
const hashBytes = 32;
const memoryMax = 67_108_864;

/** More at once would only make all of them wait, and take 32 MiB each. */
const atOnceMax = 2;
const waitingMax = 16;

const form = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

/** Hashes and checks passwords off the main thread, a few at a time. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Undefined when too many checks wait already. Without a hash it takes as long, for nothing.
   * `goesFirst`: before those of strangers, however many of them wait.
   */
  matches(
    password: string,
    hash: string | undefined,
    goesFirst?: boolean,
  ): Promise<boolean | undefined>;
}

export function createPasswords(): Passwords {
  const first: (() => void)[] = [];
  const queue: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>, line = first): Promise<T> {
    if (running >= atOnceMax) await new Promise<void>((resolve) => line.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      (first.shift() ?? queue.shift())?.();
    }
  }

  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(saltBytes);
        const hash = await derive(password, salt, { N: cost, r: blockSize, p: parallel });
        const texts = [salt, hash].map((bytes) => bytes.toString('base64url'));
        return ['scrypt', cost, blockSize, parallel, ...texts].join('$');
      }),
    matches: async (password, stored, goesFirst = false) => {
      const line = goesFirst ? first : queue;
      if (line.length >= waitingMax) return undefined;
      return inTurn(async () => {
        const parts = form.exec(stored ?? '');
        const [, n, r, p, salt = '', hash = ''] = parts ?? [];
        const parameters =
          parts === null
            ? { N: cost, r: blockSize, p: parallel }
            : { N: Number(n), r: Number(r), p: Number(p) };
        const saltOf = parts === null ? Buffer.alloc(saltBytes) : Buffer.from(salt, 'base64url');
        const derived = await derive(password, saltOf, parameters);
        const expected = parts === null ? Buffer.alloc(hashBytes) : Buffer.from(hash, 'base64url');
        const isEqual = expected.length === derived.length && timingSafeEqual(derived, expected);
        return parts !== null && isEqual;
      }, line);
    },
  };
}

function derive(
  password: string,
  salt: Buffer,
  parameters: { readonly N: number; readonly r: number; readonly p: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same password typed on another system may come decomposed.
    const text = password.normalize('NFKC');
    scrypt(text, salt, hashBytes, { ...parameters, maxmem: memoryMax }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
