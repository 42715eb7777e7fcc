import { createPrefilter } from '../../src/core/match/prefilter.ts';
import type { Decoder, Marks } from '../../src/core/normalise/decoder.ts';
import { decoders } from '../../src/core/normalise/registry.ts';
import { type DecoderSample, readDecoderSamples } from '../lib/inputs.ts';
import { hardestFor, type MicroCase, type MicroTexts } from './case.ts';

const { scan } = createPrefilter([]);

/** Every decoder of the registry: its cheap test, and the decoding where the test says so. */
export function decoderCases(texts: MicroTexts): MicroCase[] {
  const samples = readDecoderSamples();
  return decoders.flatMap((decoder) => {
    const sample = samples[decoder.name];
    if (sample === undefined) {
      throw new Error(`bench/data/decoders.json has no ${decoder.name}; add a sample of it.`);
    }
    return casesOf(decoder, sample, texts);
  });
}

function casesOf(decoder: Decoder, sample: DecoderSample, texts: MicroTexts): MicroCase[] {
  const name = `decoder ${decoder.name}`;
  const length = texts.benign.length;
  const own = sample.adversarial.repeat(Math.ceil(length / sample.adversarial.length));
  const hard = new Map([...texts.adversarial, ['own', own]]);
  const pattern = hardestFor({ ...texts, adversarial: hard }, (text) =>
    decodeOnce(decoder, text, marksOf(text)),
  );
  return [
    { ...timed(decoder, texts.benign), name, input: 'benign' },
    {
      ...timed(decoder, sample.encoded),
      name,
      input: 'attack',
      isRight: () => resultsOf(decoder, sample.encoded).includes(sample.decoded),
    },
    { ...timed(decoder, hard.get(pattern) ?? own), name, input: 'adversarial', note: pattern },
  ];
}

function timed(decoder: Decoder, text: string): Pick<MicroCase, 'bytes' | 'run' | 'isRight'> {
  const marks = marksOf(text);
  const expected = decodeOnce(decoder, text, marks);
  return {
    bytes: Buffer.byteLength(text),
    run: () => decodeOnce(decoder, text, marks),
    isRight: (result) => result === expected,
  };
}

function marksOf(text: string): Marks {
  const { classes, wide, longestRun } = scan(text);
  return { classes, wide, longestRun };
}

/** Characters of all results. */
function decodeOnce(decoder: Decoder, text: string, marks: Marks): number {
  if (!isApplied(decoder, text, marks)) return 0;
  let chars = 0;
  decoder.decode(text, (result) => {
    chars += result.length;
  });
  return chars;
}

function resultsOf(decoder: Decoder, text: string): string[] {
  const results: string[] = [];
  if (!isApplied(decoder, text, marksOf(text))) return results;
  decoder.decode(text, (result) => {
    results.push(result);
  });
  return results;
}

/** Whether a decoder has something to do. */
function isApplied(decoder: Decoder, text: string, marks: Marks): boolean {
  const { classes = 0 } = decoder;
  return (marks.classes & classes) === classes && decoder.applies(text, marks);
}
