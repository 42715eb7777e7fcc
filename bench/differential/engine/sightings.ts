import type { Sighting } from './reader.ts';

const depthMax = 200;

/** Collects each string that can be reached from what a handler was given. */
export class Sightings {
  readonly all: Sighting[] = [];

  /** Names and values at every depth; bytes as the text that an application makes of them. */
  add(where: string, value: unknown, depth = 0): void {
    if (typeof value === 'string') {
      this.all.push({ where, text: value });
    } else if (value instanceof Uint8Array) {
      this.all.push({ where, text: Buffer.from(value).toString('utf8') });
    } else if (Array.isArray(value)) {
      this.#addList(where, value, depth);
    } else if (typeof value === 'object' && value !== null && depth < depthMax) {
      for (const [key, inner] of Object.entries(value)) {
        this.all.push({ where: `${where} name`, text: key });
        this.add(where, inner, depth + 1);
      }
    }
  }

  #addList(where: string, list: readonly unknown[], depth: number): void {
    if (depth >= depthMax) return;
    for (const item of list) this.add(where, item, depth + 1);
    // What a template or a query makes of a list.
    if (list.length > 1 && list.every((item) => typeof item === 'string')) {
      this.all.push({ where: `${where} joined`, text: list.join(',') });
    }
  }
}
