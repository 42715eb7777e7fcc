import {
  countsIn,
  makesObjectsWhenDecoded,
  mayBeginObjects,
  mayGoOn,
  mayMakeObjects,
} from '../text/object-stream.ts';
import { type Alphabet, bothAlphabets, decodeBase64, readHead } from './base64-alphabet.ts';

/** Java (`AC ED 00 05`), .NET BinaryFormatter, Python pickle from protocol 2 on, Ruby Marshal. */
const serialisedHead =
  /^(?:\u00ac\u00ed\u0000\u0005|\u0000\u0001\u0000{3}\u00ff{4}|\u0080(?:[\u0002\u0003][@-\u007f]|[\u0004\u0005]\u0095)|\u0004\u0008[@-\u007f])/;
const serialisedHeadBytes = 9;
const marshalVersion = 4;
const marshalDigit = marshalVersion >> 2;
/** Of `cos\nabort\n)R`; an object of Marshal is shorter. */
const pickleDigitsMin = 16;
/** Much of what is no pickle is broken within as many bytes, and most of the rest within more. */
const streamStartBytes = 8;
const streamHeadBytes = 24;

function mayBegin(byte: number): boolean {
  return byte === 0xac || byte === 0 || mayBeginObjects(byte);
}

const firstDigits = Uint8Array.from({ length: 64 }, (_, digit) =>
  Number([0, 1, 2, 3].some((low) => mayBegin(4 * digit + low))),
);

/** True for base64 of how serialised objects begin. */
export function isSerialised(text: string, start: number): boolean {
  return (
    'rAgB'.includes(text.charAt(start)) &&
    'OA'.includes(text.charAt(start + 1)) &&
    serialisedHead.test(decodeBase64(text, start, serialisedHeadBytes))
  );
}

/** The same by the first digit alone of so many in all: asked of nearly each short value. */
export function mayBeginStream(digit: number, digits: number): boolean {
  return digit === marshalDigit || (digits >= pickleDigitsMin && firstDigits[digit] === 1);
}

/** As many bytes as an operation takes, and the next one. */
export const streamLookBytes = 10;
const look = new Uint8Array(streamLookBytes);

/** A look at so many of the first bytes, without a text for them: false for most texts. */
export function mayBeObjectStream(
  head: Readonly<Uint8Array>,
  length: number,
  charsLeft: number,
): boolean {
  const first = length === 0 ? -1 : (head[0] as number);
  if (first === marshalVersion) return true;
  if (charsLeft < pickleDigitsMin || !mayBegin(first)) return false;
  return first === 0xac || first === 0 || mayGoOn(head, length);
}

/** The same for a run of digits in a text. */
export function isStreamIn(text: string, start: number, end: number): boolean {
  const digit = bothAlphabets[text.charCodeAt(start)] as number;
  if (end - start < runDigitsMin || !mayBeginStream(digit, end - start)) return false;
  const run = text.slice(start, end);
  // A whole value is read as one.
  if (run.length + 2 >= text.length) return false;
  return countsIn(text, run, decodeBase64(run, 0, 2)) && isObjectStream(run, 0, bothAlphabets);
}

/** A shorter call of a pickle stands in long names by chance. */
const runDigitsMin = 20;

/** The same for a text that is base64 as a whole: read by the rules of the formats. */
export function isObjectStream(text: string, start: number, alphabet: Alphabet): boolean {
  const length = readHead(text, { start, end: text.length }, alphabet, look);
  if (!mayBeObjectStream(look, length, text.length - start)) return false;
  if (isBroken(decodeBase64(text, start, streamStartBytes, alphabet))) return false;
  const head = decodeBase64(text, start, streamHeadBytes, alphabet);
  if (serialisedHead.test(head)) return true;
  return (
    mayMakeObjects(head) &&
    makesObjectsWhenDecoded((bytesMax) => decodeBase64(text, start, bytesMax, alphabet))
  );
}

function isBroken(head: string): boolean {
  const first = head.charCodeAt(0);
  return first !== 0xac && first !== 0 && !mayMakeObjects(head);
}
