import { nearest } from '../config/nearest.ts';
import { asNumberIn } from '../contract/as-number.ts';
import { type Category, categories } from '../contract/category.ts';
import type { EventDecision, EventFilter, EventStore, StoredEvent } from '../contract/event.ts';
import { type CommandInput, type CommandOption, UsageError } from './command.ts';
import { parsePast } from './moment.ts';

const decisions: readonly EventDecision[] = ['block', 'would-block'];

/** The filters that the commands about events share. */
export const eventOptions: readonly CommandOption[] = [
  { name: 'since', value: '<when>', help: 'from then on: a time span (2h, 7d) or a date' },
  { name: 'until', value: '<when>', help: 'before then' },
  { name: 'decision', value: '<block|would-block>', help: 'one of both', values: decisions },
  { name: 'category', value: '<category>', help: 'such as sqli', values: categories },
  { name: 'rule', value: '<id>', help: 'such as sqli.tautology' },
  { name: 'key', value: '<id>', help: 'the API key, by its id' },
  { name: 'pointer', value: '<pointer>', help: 'the field, such as /username' },
  { name: 'method', value: '<method>', help: 'the method of the request' },
  { name: 'path', value: '<path>', help: 'the path of the request; /shop/* for all below' },
  { name: 'client', value: '<address>', help: 'the address of the client' },
  { name: 'country', value: '<code>', help: 'where the client is, such as DE' },
  { name: 'asn', value: '<number>', help: 'the network of the client, such as AS13335' },
  { name: 'search', value: '<text>', help: 'a text in evidence, path, client, rule, field or id' },
];

/** What the options ask for, in two steps: what the store filters, and what is left to do. */
export interface WantedEvents {
  readonly filter: EventFilter;
  readonly isWanted: (event: StoredEvent) => boolean;
}

/** Reads the filters of a command line. */
export function wantedEvents(input: CommandInput, now: number): WantedEvents {
  const moment = (name: string) => {
    const text = input.text(name);
    return text === undefined ? undefined : parsePast(name, text, now);
  };
  const [path, method] = ['path', 'method'].map((name) => input.text(name));
  // The store looks for one text; the rest is decided event by event.
  const search = input.text('search') ?? path?.replace(/\*$/, '');
  const wishes = {
    decision: oneOf(input, 'decision', decisions),
    category: oneOf<Category>(input, 'category', categories),
    rule: input.text('rule'),
    keyId: input.text('key'),
    pointer: input.text('pointer'),
    client: input.text('client'),
    country: input.text('country')?.toUpperCase(),
    asn: asnOf(input),
    q: search === '' ? undefined : search,
    from: moment('since'),
    to: moment('until'),
  };
  return {
    filter: Object.fromEntries(
      Object.entries(wishes).filter(([, value]) => value !== undefined),
    ) as EventFilter,
    isWanted: (event) =>
      (path === undefined || isAt(event.path ?? '', path)) &&
      (method === undefined || event.method?.toUpperCase() === method.toUpperCase()),
  };
}

function isAt(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

function asnOf(input: CommandInput): string | undefined {
  const text = input.text('asn');
  if (text === undefined) return undefined;
  const digits = asNumberIn(text);
  if (digits !== undefined) return digits;
  throw new UsageError(`--asn must be the number of a network such as AS13335, not ${text}.`);
}

function oneOf<T extends string>(
  input: CommandInput,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  const found = values.find((value) => value === text);
  if (found !== undefined) return found;
  const near = nearest(text, values);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`--${name} must be one of ${values.join(', ')}, not ${text}.${hint}`);
}

/** The events that are wanted, newest first. */
export async function* readEvents(
  store: EventStore,
  { filter, isWanted }: WantedEvents,
): AsyncGenerator<StoredEvent> {
  for await (const event of store.stream(filter)) {
    if (isWanted(event)) yield event;
  }
}
