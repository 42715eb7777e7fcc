import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { wordMap, wordSet } from '../../text/words.ts';

/** Where reading goes on, and whether only a shell reads what was passed. */
export interface Passed {
  readonly end: number;
  readonly isStructured: boolean;
  /** The command is the next word and no more: what stands behind it is for the carrier. */
  readonly isWord?: boolean;
  /** The commands behind it are not reached. */
  readonly isDead?: boolean;
  /** A function is defined, with this as its name. */
  readonly isDefinition?: boolean;
}

/** Where in its arguments the command begins that a command runs, by its manual. */
interface Runner {
  /** Letters of options whose value is the rest of the word or the next one. */
  readonly valued: string;
  /** A word in front of the command: a duration, a folder, a lock. */
  readonly operand: RegExp | undefined;
}

const runs = (valued = '', operand?: RegExp): Runner => ({ valued, operand });

const number = /^\d{1,5}[smhd]?$/;
/** As no sentence has it. */
const path = /^[\d./~]/;
const any = /^\w/;

/** A word that a shell reads, in quotes or not. */
const code =
  /(?:(?:[ \t]|\\\r?\n){1,12}(?:-[\w-]{0,25}(?:=\S{0,40})?|\d{1,5}[smhd]?|[A-Za-z_]\w{0,31}=[^\s;&|]{0,40}|\d?[<>]&?[\w./]{1,40})(?=[ \t\\])){0,4}(?:[ \t]|\\\r?\n){1,12}(?:(?=(['"])[\w./-]{0,24}\1['"$\w\\])|['"](?:(?!(['"])[\w./-]{0,24}\2['"$\w\\])[\\'"]){0,8}\s{0,8}|(?=[a-z$]))/y;
const shell =
  /(?:(?:[ \t]|\\\r?\n){1,12}[-+]{1,2}[a-z]{1,12}(?:(?<=o)[ \t]{1,4}[a-z]{1,12})?){0,4}(?:(?<=c)(?:(?:[ \t]|\\\r?\n){1,12}|\$\{IFS[^}]{0,8}\})['"\\]{0,8}\s{0,8}|[ \t]{0,4}<<<?-?[ \t]{0,4}(?:['"\\]{0,8}|['"\\]?\w{1,32}['"]?\n))(?=\S)/y;
/** A word for what is run when the shell ends, or before each command; one that splits is a script. */
const trap =
  /[ \t]{1,12}(?:--[ \t]{1,12})?(?!\S{0,40}\$\{?IFS)(?=[\w./$\\{}'"-]{1,40}[ \t]{1,12}(?:0|EXIT|exit|DEBUG|Z?ERR|RETURN|(?:SIG)?CHLD)(?:[\s;&|)'"]|$))/y;
/** A name for what runs beside the shell stands in front of a group. */
const coprocess = /[ \t]{1,12}(?:[A-Za-z_]\w{0,31}[ \t]{1,12}(?=[{(]))?(?=\S)/y;
const find = /[^;&|\n]{0,120}-(?:exec|ok)(?:dir)?[ \t]{1,8}(?=\S)/y;

/** Commands whose arguments are a command. */
const carriers: ReadonlyMap<string, Runner | RegExp> = wordMap<Runner | RegExp>(
  [
    runs(),
    `command builtin nohup setsid busybox noglob nocorrect wsl conhost unbuffer fakeroot linux32
     linux64 cttyhack`,
  ],
  [runs('a'), 'exec'],
  [runs('fo'), 'time'],
  [runs('n'), 'nice'],
  [runs('uC'), 'env'],
  [runs('ugpCrtThDRa'), 'sudo doas runuser pkexec'],
  [runs('ioe'), 'stdbuf'],
  [runs('cnpPu'), 'ionice'],
  [runs('dEILnPsa'), 'xargs'],
  [runs('nq'), 'watch'],
  [runs('tSGRw'), 'unshare nsenter'],
  [runs('eoasuEbIOSUPXnlxADF'), 'strace ltrace'],
  [runs('pMHEu'), 'systemd-run'],
  [runs('uUeEn/mdotcf'), 'chpst softlimit'],
  [runs('ks', number), 'timeout'],
  [runs('TPD', number), 'chrt'],
  [runs('wE', path), 'flock'],
  [runs('', number), 'repeat taskset'],
  [runs('', path), 'chroot'],
  [runs('', any), 'setarch setuidgid envdir envuidgid'],
  [code, 'eval trap'],
  [coprocess, 'coproc'],
  [shell, 'sh bash ash dash zsh ksh su $0'],
  [find, 'find'],
);

/**
 * Where the command begins that is an argument of the named one, which ends at `end`; undefined for
 * a command that takes none.
 */
export function passCarrier(text: string, name: string, end: number): Passed | undefined {
  const known = carrierNameTable.wordBetween(name, name.lastIndexOf('/') + 1, name.length);
  if (known === 'trap') {
    const from = endOfForm(text, trap, end);
    if (from >= 0) return { end: from, isStructured: true, isWord: true };
  }
  const form = known === '' ? undefined : carriers.get(known);
  if (form === undefined) return undefined;
  const from = form instanceof RegExp ? endOfForm(text, form, end) : endOfWords(text, form, end);
  if (from < 0) return undefined;
  const isSure = !plainCarriers.has(name) || option.test(text.slice(end, from));
  return { end: from, isStructured: isSure };
}

/** Where a sticky form that begins at an offset ends; -1 without. */
export function endOfForm(text: string, form: RegExp, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : -1;
}

/** Behind options with their values, assignments, redirections and operands; -1 where none follows. */
function endOfWords(text: string, { valued, operand }: Runner, from: number): number {
  let at = endOfForm(text, blanks, from);
  let isLeft = operand !== undefined;
  let before = '';
  for (let words = 0; at >= 0 && words < wordsMax; words++) {
    const isTaken = takesNext(before, valued);
    const { given, isSetting, isNone, end } = wordAt(text, at, isTaken);
    if (isNone) {
      at = end;
      continue;
    }
    const isValue = isTaken || (before !== '' && number.test(given));
    const isOption = given.startsWith('-') && !isValue;
    const isOperand = isLeft && !isOption && !isValue && operand?.test(given) === true;
    const isPassed = isOption || isValue || isOperand || isSetting;
    if (!isPassed) return takesScript.test(before) ? endOfForm(text, opening, at) : at;
    before = isOption ? given : '';
    isLeft &&= !isOperand;
    at = end;
  }
  return at;
}

/** Where the next word begins, -1 where none follows; the value of an option may be any word. */
function wordAt(text: string, at: number, isValue: boolean) {
  const form = isValue ? anyWord : word;
  form.lastIndex = at;
  const match = form.exec(text);
  const end = match === null ? -1 : form.lastIndex;
  const raw = match?.[1] ?? '';
  const given = raw.replace(nothing, '');
  // `""` is an argument, `$1` none.
  const isNone = given === '' && raw.startsWith('$');
  return { given, isSetting: match?.[2] !== undefined, isNone, end };
}

/** `-s`, `-xs`, `--signal`; not `-sKILL`. */
function takesNext(before: string, valued: string): boolean {
  if (before.startsWith('--')) return longValued.has(before.slice(2));
  for (let i = 1; i < before.length; i++) {
    if (valued.includes(before.charAt(i))) return i === before.length - 1;
  }
  return false;
}

const wordsMax = 8;
/** Which a line end behind a backslash may part. */
const blanks = /(?:[ \t]|\\\r?\n){1,12}(?=\S)/y;
/** A word, and what is passed wherever it stands: an assignment, a redirection. */
const word =
  /(?:(-(?:'\w'|"\w"|[\w{}%@./,:=+-]{0,40})|'[^'\n]{0,40}'|"[^"\n]{0,40}"|(?:[\w./,:%@+-]|\$[@*1-9]|(?<=\w)\$(?:\{[A-Za-z_][^{}\s]{0,40}\}|[A-Za-z_])|''|""){1,1400}(?![=\w./,:%@+$'"-]))|([A-Za-z_]\w{0,31}=[^\s;&|]{0,40}|\d?[<>]&?[\w./]{1,40}))(?:[ \t]|\\\r?\n){1,12}(?=\S)/y;
/** Quotes, and parameters that nothing was given for, or no name within a word. */
const nothing = /['"]|\$[@*1-9]|(?<=\w)\$(?:\{[^{}]{1,41}\}|[A-Za-z_]\w{0,31})/g;
/** `$USER`, `"$USER"`, `ro""ot`. */
const anyWord =
  /((?:'[^'\n]{0,40}'|"[^"\n]{0,40}"|[^\s;&|<>'"]){1,60})(?:[ \t]|\\\r?\n){1,12}(?=\S)/y;
/** `-c`, `-S`: what follows is a script. */
const takesScript = /^-(?:\w?[cS]|-(?:command|split-string))$/;
const opening = /['"\\]{0,8}\s{0,8}/y;
const longValued: ReadonlySet<string> = wordSet(
  `signal kill-after adjustment unset chdir user group class classdata max-args max-procs
   max-lines max-chars replace delimiter arg-file input output error format interval`,
);

const option = /[-'"<>]/;
/** Words of English, too: they carry nothing that is sure without an option. */
const plainCarriers: ReadonlySet<string> = wordSet(
  'command exec time nice watch repeat wsl conhost flock',
);

/** The carrier that stands between two offsets; `''` for any other text. */
export function carrierBetween(text: string, start: number, end: number): string {
  return carrierNameTable.wordBetween(text, start, end);
}

export const carrierNames: readonly string[] = [...carriers.keys()];
const carrierNameTable: WordTable = createWordTable(carrierNames);
