import type { RuleExample } from '../../../contract/management.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const hundredth = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export function count(value: number): string {
  return whole.format(value);
}

/** A number of things with their name: `1 key`, `2 keys`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** A part of 1 in percent, with a decimal where it is small. */
export function share(part: number): string {
  return part >= 0.1 ? `${whole.format(part * 100)}%` : percent.format(part);
}

export function rate(perSecond: number): string {
  return perSecond < 10 ? tenth.format(perSecond) : whole.format(perSecond);
}

export function ms(value: number): string {
  return `${(value < 10 ? hundredth : tenth).format(value)} ms`;
}

const units = ['B', 'KiB', 'MiB', 'GiB'] as const;

export function bytes(value: number): string {
  let rest = value;
  let unit = 0;
  while (rest >= 1_024 && unit < units.length - 1) {
    rest /= 1_024;
    unit += 1;
  }
  return `${tenth.format(rest)} ${units[unit]}`;
}

/** An example of a rule: a text as it stands, a whole body as JSON. */
export function exampleText(example: RuleExample): string {
  return typeof example === 'string' ? example : JSON.stringify(example.body);
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The name of a country by its two letters; what is no such code stays as it is. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code;
}
