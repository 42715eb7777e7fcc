import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Grammar } from '../../src/core/grammars/grammar.ts';
import { hardestFor, type MicroCase, type MicroTexts, weightOf } from './case.ts';

const folder = new URL('../../src/core/grammars/', import.meta.url);

/** Every grammar that a file of `src/core/grammars` exports: a new one needs no line here. */
export async function tokeniserCases(texts: MicroTexts): Promise<MicroCase[]> {
  const grammars = await findGrammars();
  if (grammars.length === 0) throw new Error('src/core/grammars exports no grammar any more.');
  return grammars.flatMap((grammar) => {
    const name = `tokeniser ${grammar.name}`;
    const pattern = hardestFor(texts, (text) => grammar.read(text));
    const hard = texts.adversarial.get(pattern) ?? '';
    return [
      { ...timed(grammar, texts.benign), name, input: 'benign' },
      { ...timed(grammar, texts.attack), name, input: 'attack' },
      { ...timed(grammar, hard), name, input: 'adversarial', note: pattern },
    ] satisfies MicroCase[];
  });
}

async function findGrammars(): Promise<Grammar<unknown>[]> {
  const ending = extname(import.meta.url);
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
    (name) => extname(name) === ending && !/\.d\./.test(name),
  );
  const grammars = new Map<string, Grammar<unknown>>();
  for (const file of files.sort()) {
    const exported: Readonly<Record<string, unknown>> = await import(new URL(file, folder).href);
    for (const value of Object.values(exported)) {
      if (isGrammar(value)) grammars.set(value.name, value);
    }
  }
  return [...grammars.values()];
}

function isGrammar(value: unknown): value is Grammar<unknown> {
  return typeof value === 'object' && value !== null && 'read' in value && 'name' in value;
}

function timed(
  grammar: Grammar<unknown>,
  text: string,
): Pick<MicroCase, 'bytes' | 'run' | 'isRight'> {
  const expected = weightOf(grammar.read(text));
  return {
    bytes: Buffer.byteLength(text),
    // Only whether there is a reading: to weigh it would be timed too.
    run: () => (grammar.read(text) === undefined ? 0 : 1),
    isRight: (result) => result === 1 && weightOf(grammar.read(text)) === expected,
  };
}
