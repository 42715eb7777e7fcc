/**
 * Tells words from chance. Text of letters, digits, `+`, `/`, `-`, `_` and white space may be
 * base64, where any three letters stand somewhere, or words, where an attack may be.
 *
 * It is a likelihood ratio: how much likelier a stretch is as words (letters that follow each other
 * as in `words`, mostly of one case) than as digits of base64 by lot. By chance a ratio of 2^t is
 * reached from a given place on with a probability of at most 2^-t (Ville's inequality), and
 * anywhere in n characters with n · 2^-t. The bound holds for each text by itself: what stands
 * around a stretch takes nothing from it, so that words cannot be hidden among noise.
 */

/** What attacks without punctuation are made of, and how their languages go. */
const words =
  '1 or true -- 1 and 1 or 1 or not false 1 or 1 2 or 1-- ' +
  'select union all from where and or not null order by group having limit insert into values ' +
  'update set delete drop table create alter exec execute declare waitfor delay sleep benchmark ' +
  'database schema information users user password passwd admin name login account email like ' +
  'between exists distinct count concat version char case when then else end desc asc true false ' +
  '/etc/passwd /etc/shadow /etc/hosts /proc/self/environ /bin/sh /bin/bash /usr/bin/perl /var/log ' +
  '/var/www/html /root /home /tmp /dev/null /windows/system32 /boot cat echo whoami uname id ls ' +
  'curl wget ping netcat nc bash sh python perl php ruby powershell cmd net user type dir rm -rf ' +
  'chmod kill sleep 10 1 2 3 100 8080 127 sudo mkdir touch find grep export rev tac head tail more ' +
  '__proto__ constructor prototype xp_cmdshell load_file outfile master sysobjects pg_sleep ' +
  'the of to in is that for it with as this have are be on you at he we his they which one would ' +
  'script alert document cookie location eval system process require import class object string ' +
  'http https file ftp localhost internal metadata latest meta-data config secret token key value';

/** 26 letters, then digit, blank or `+`, slash, dash, underscore. */
const symbols = 31;
const digitSymbol = 26;
const blankSymbol = 27;
const none = 255;
/** What is seen of pairs that `words` has not. */
const smoothing = 0.2;

/** The symbol of each character; `none` for all that is neither in words nor in base64. */
const symbolOf: Uint8Array = buildSymbols();

function buildSymbols(): Uint8Array {
  const table = new Uint8Array(128).fill(none);
  for (let i = 0; i < 26; i++) {
    table[65 + i] = i;
    table[97 + i] = i;
  }
  for (let digit = 48; digit < 58; digit++) table[digit] = digitSymbol;
  for (const blank of '+ \t\r\n') table[blank.charCodeAt(0)] = blankSymbol;
  table[47] = 28;
  table[45] = 29;
  table[95] = 30;
  return table;
}

/** Bits that a symbol behind another speaks for words, without the case of letters. */
const bitsOf: Float64Array = buildBits();

function buildBits(): Float64Array {
  const counts = new Float64Array(symbols * symbols).fill(smoothing);
  let last = blankSymbol;
  for (const character of `${words} `) {
    const symbol = symbolOf[character.charCodeAt(0)] as number;
    const cell = last * symbols + symbol;
    counts[cell] = (counts[cell] as number) + 1;
    last = symbol;
  }
  const bits = new Float64Array(counts.length);
  for (let from = 0; from < symbols; from++) {
    const row = counts.subarray(from * symbols, (from + 1) * symbols);
    const sum = row.reduce((a, b) => a + b, 0);
    for (let to = 0; to < symbols; to++) {
      const share = (row[to] as number) / sum / (to === digitSymbol ? 10 : 1);
      bits[from * symbols + to] = Math.log2(share * 64);
    }
  }
  return bits;
}

/** Share of letters that have the case of the one before, and of those that have not. */
const sameCaseBits = Math.log2(0.85);
const otherCaseBits = Math.log2(0.15);
/** One in 65,536 texts by lot is taken for words. */
const chanceBits = 16;

/**
 * True when some stretch between two offsets reads as words by more than chance. The probability
 * that a text of base64 digits by lot does is below 2^-15, whatever its length: half of that is for
 * stretches that begin where the text does, where less is asked for (`/etc/passwd`), the other half
 * for all others. Letters are read twice, as of one case mostly and as of any case (`uNiOn`).
 */
export function holdsWords(text: string, from: number, to: number = text.length): boolean {
  const placeBits = Math.log2(Math.max(2, to - from));
  const threshold = chanceBits + placeBits;
  let steady = placeBits - 1;
  let mixed = placeBits - 1;
  let last = blankSymbol;
  let lastCase = 32;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    const symbol = code < 128 ? (symbolOf[code] as number) : none;
    if (symbol === none) {
      steady = 0;
      mixed = 0;
      last = blankSymbol;
      continue;
    }
    const bits = bitsOf[last * symbols + symbol] as number;
    last = symbol;
    if (symbol < digitSymbol) {
      const isSame = (code & 32) === lastCase;
      lastCase = code & 32;
      steady = Math.max(0, steady + bits + (isSame ? sameCaseBits : otherCaseBits));
      mixed = Math.max(0, mixed + bits - 1);
    } else {
      steady = Math.max(0, steady + bits);
      mixed = Math.max(0, mixed + bits);
    }
    if (steady > threshold || mixed > threshold) return true;
  }
  return false;
}
