import { depthOf, type Field, memberNameOf, type PathNode } from './field.ts';

/** Long values of a request in which nothing matched: a batch of records has the same again. */
export class QuietValues {
  private readonly list: Field[] = [];

  clear(): void {
    if (this.list.length > 0) this.list.length = 0;
  }

  /** Of many different ones the first few are kept, so that the work stays linear. */
  add(field: Field): void {
    if (isLong(field) && this.list.length < valuesMax) this.list.push(field);
  }

  /** Whether one stands alike: as deep, under one name but for an index in it. */
  hasLike(field: Field): boolean {
    return isLong(field) && this.list.some((one) => isRepeated(one, field));
  }
}

function isLong({ text }: Field): boolean {
  return text.length >= charsMin;
}

function isRepeated(one: Field, { text, where, node }: Field): boolean {
  const isSame = one.where === where && one.text === text;
  return isSame && depthOf(one.node) === depthOf(node) && stemOf(one.node) === stemOf(node);
}

function stemOf(node: PathNode): string {
  const name = memberNameOf(node);
  return name.length > nameCharsMax ? name : name.replace(indices, '[]');
}

const indices = /\[\d{1,6}\]/g;
/** A longer name has its indices compared as well. */
const nameCharsMax = 200;
/** Shorter ones cost less than to tell whether they were there before. */
const charsMin = 4_096;
const valuesMax = 16;
