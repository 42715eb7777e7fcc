import { categoryTitle } from '../../contract/category.ts';
import { decidedText, type Finding, limitsReached, type Verdict } from '../../contract/verdict.ts';
import type { Terminal } from '../command.ts';
import type { Paint } from '../paint.ts';
import { inOneLine, table } from '../table.ts';

/** What came of one value. */
export interface Outcome {
  readonly source: string;
  /** The line of the source, or the number of the value in it. */
  readonly place: { readonly line: number } | { readonly item: number };
  readonly result: { readonly verdict: Verdict } | { readonly error: string };
}

interface Count {
  items: number;
  blocked: number;
  notScreened: number;
}

const rowsMax = 40;
const rulesMax = 10;
const chunkChars = 65_536;
const progressMs = 250;
const clearLine = '\r\u001b[K';

/** Tells what was found: one value in full, many in a line each with a table at the end. */
export class ScanReport {
  readonly #terminal: Terminal;
  readonly #isHuman: boolean;
  readonly #counts = new Map<string, Count>();
  readonly #rules = new Map<string, number>();
  /** The only value so far: it is reported once it is known whether others follow. */
  #first: Outcome | undefined;
  #items = 0;
  #bytes = 0;
  #chunk = '';
  #progressAt = 0;

  constructor(terminal: Terminal, isHuman: boolean) {
    this.#terminal = terminal;
    this.#isHuman = isHuman;
  }

  addBytes(count: number): void {
    this.#bytes += count;
  }

  async add(outcome: Outcome): Promise<void> {
    const { source, result } = outcome;
    this.#items += 1;
    const count = this.#counts.get(source) ?? { items: 0, blocked: 0, notScreened: 0 };
    this.#counts.set(source, count);
    count.items += 1;
    if ('error' in result) {
      count.notScreened += 1;
    } else if (result.verdict.decision === 'block') {
      count.blocked += 1;
      const rule = result.verdict.findings[0]?.rule ?? 'incomplete';
      this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
    }
    if (this.#items === 1) {
      this.#first = outcome;
      return;
    }
    if (this.#first !== undefined) await this.#tellOneOfMany(this.#first);
    this.#first = undefined;
    await this.#tellOneOfMany(outcome);
    this.#tellProgress();
  }

  /** The last words, and the exit code. */
  async end(): Promise<0 | 1 | 2> {
    const { paint } = this.#terminal;
    if (this.#terminal.isInteractive.err && this.#progressAt > 0) this.#terminal.err(clearLine);
    if (this.#first !== undefined) {
      this.#tellOnly(this.#first);
    } else if (this.#items > 1) {
      await this.#write(this.#isHuman ? `\n${this.#summary(paint)}` : '', true);
      if (!this.#isHuman) this.#terminal.err(this.#summary((_style, text) => text));
    }
    const all = [...this.#counts.values()];
    if (all.some(({ blocked }) => blocked > 0)) return 1;
    return all.some(({ notScreened }) => notScreened > 0) ? 2 : 0;
  }

  #tellOnly({ source, result }: Outcome): void {
    const terminal = this.#terminal;
    if ('error' in result) terminal.err(`sallyport: ${source}: ${result.error}\n`);
    else if (this.#isHuman) terminal.out(explained(result.verdict, terminal.paint));
    else terminal.out(`${JSON.stringify(result.verdict, null, 2)}\n`);
  }

  async #tellOneOfMany(outcome: Outcome): Promise<void> {
    const { source, place, result } = outcome;
    if (!this.#isHuman) {
      const content = 'error' in result ? { error: result.error } : result.verdict;
      await this.#write(`${JSON.stringify({ source, ...place, ...content })}\n`);
    } else if ('error' in result || result.verdict.decision === 'block') {
      await this.#write(briefly(outcome, this.#terminal.paint));
    }
  }

  async #write(text: string, isLast = false): Promise<void> {
    this.#chunk += text;
    const isDue = isLast || this.#terminal.isInteractive.out || this.#chunk.length >= chunkChars;
    if (!isDue || this.#chunk === '') return;
    if (this.#progressAt > 0) this.#terminal.err(clearLine);
    await this.#terminal.flow(this.#chunk);
    this.#chunk = '';
  }

  #tellProgress(): void {
    if (!this.#terminal.isInteractive.err) return;
    const now = performance.now();
    if (now - this.#progressAt < progressMs) return;
    this.#progressAt = now;
    const blocked = [...this.#counts.values()].reduce((sum, one) => sum + one.blocked, 0);
    const mebibytes = (this.#bytes / 1_048_576).toFixed(1);
    const items = this.#items.toLocaleString('en-US');
    this.#terminal.err(`${clearLine}${items} screened, ${blocked} blocked, ${mebibytes} MiB`);
  }

  #summary(paint: Paint): string {
    const total = { items: 0, blocked: 0, notScreened: 0 };
    const rows: string[][] = [];
    let leftOut = 0;
    for (const [source, count] of this.#counts) {
      total.items += count.items;
      total.blocked += count.blocked;
      total.notScreened += count.notScreened;
      if (rows.length < rowsMax) rows.push(rowOf(inOneLine(source), count, paint));
      else leftOut += 1;
    }
    if (leftOut > 0) rows.push([`${leftOut} more`]);
    if (this.#counts.size > 1) rows.push(rowOf('total', total, paint));
    const head = ['INPUT', 'VALUES', 'ALLOWED', 'BLOCKED', 'NOT SCREENED'];
    const rules = [...this.#rules].sort(([, a], [, b]) => b - a).slice(0, rulesMax);
    const found = rules.map(([rule, count]) => `  ${count} × ${rule}\n`).join('');
    return `${table([head, ...rows])}\n${found === '' ? '' : `\n${found}`}`;
  }
}

function rowOf(name: string, { items, blocked, notScreened }: Count, paint: Paint): string[] {
  const [bad, unclear] = [String(blocked), String(notScreened)];
  return [
    name,
    String(items),
    String(items - blocked - notScreened),
    blocked > 0 ? paint('red', bad) : bad,
    notScreened > 0 ? paint('yellow', unclear) : unclear,
  ];
}

/** A block, or a value that was not screened, in one line. */
function briefly({ source, place, result }: Outcome, paint: Paint): string {
  const where = 'line' in place ? `${source}:${place.line}` : `${source}#${place.item}`;
  if ('error' in result) {
    return `${paint('yellow', 'ERROR')}  ${inOneLine(where)}  ${result.error}\n`;
  }
  const { score, findings } = result.verdict;
  const [first] = findings;
  const why =
    first === undefined
      ? 'not screened completely'
      : `${first.rule}  ${titleOf(first)}  ${inOneLine(JSON.stringify(first.evidence), 80)}`;
  return `${paint('red', 'BLOCK')}  ${inOneLine(where)}  ${score}  ${why}\n`;
}

function titleOf({ category, pointer, where }: Finding): string {
  const place = pointer === '' ? 'the whole body' : inOneLine(pointer, 60);
  return `${categoryTitle[category]} in ${place}${where === 'name' ? ' (field name)' : ''}`;
}

/** A verdict with all its findings, for people. */
function explained(verdict: Verdict, paint: Paint): string {
  const { decision, score, threshold, findings, coverage } = verdict;
  const word = decision === 'block' ? paint('red', 'BLOCK') : paint('green', 'ALLOW');
  const lines = [`${word}  score ${score}, threshold ${threshold}`];
  for (const finding of findings) {
    lines.push(
      '',
      paint('bold', titleOf(finding)),
      `  rule      ${finding.rule} (${finding.cwe}, ${finding.severity}, score ${finding.score})`,
      `  why       ${finding.message}`,
      `  evidence  ${inOneLine(JSON.stringify(finding.evidence))}`,
    );
    if (finding.decoded.length > 0) lines.push(`  decoded   ${finding.decoded.join(' → ')}`);
  }
  const reached = limitsReached(coverage);
  if (reached.length > 0) lines.push('', `Not screened completely: ${reached.join(', ')}`);
  if (coverage.reasons.includes('decided')) lines.push('', decidedText);
  return `${lines.join('\n')}\n`;
}
