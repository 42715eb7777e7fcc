import { contextParts, noContext, type RequestContext } from '../../contract/request.ts';
import type { Field } from './field.ts';

/** The request as the rules that compare members see it. */
export interface RequestView {
  /** Context fields first, then the body in document order. */
  readonly fields: readonly Field[];
  /** Text of the top-level member of this name; what a context header says goes before the body. */
  get(name: string): string | undefined;
  /** Index in `fields` of the value that `get` returns, -1 when there is none. */
  indexOf(name: string): number;
}

/** Puts the parts of the context that were sent in front of the fields of the body. */
export function pushContext(context: RequestContext, fields: Field[]): void {
  if (context === noContext) return;
  for (const { part, member } of contextParts) {
    if (context[part] === '') continue;
    fields.push({
      where: 'context',
      text: context[part],
      node: { parent: undefined, key: member },
    });
  }
}

export function viewRequest(fields: readonly Field[]): RequestView {
  return new FieldsView(fields);
}

class FieldsView implements RequestView {
  readonly fields: readonly Field[];
  /** Lengths of the names at the top level, modulo 32, as bits. */
  private readonly lengths: number;

  constructor(fields: readonly Field[]) {
    this.fields = fields;
    let lengths = 0;
    for (let index = 0; index < fields.length; index++) {
      const { where, node } = fields[index] as Field;
      if (where === 'name' || node.parent !== undefined) continue;
      lengths |= 1 << String(node.key).length;
    }
    this.lengths = lengths;
  }

  get(name: string): string | undefined {
    const index = this.indexOf(name);
    return index < 0 ? undefined : this.fields[index]?.text;
  }

  /** Rules ask for a dozen names that hardly a request has: their length tells of most. */
  indexOf(name: string): number {
    if ((this.lengths & (1 << name.length)) === 0) return -1;
    const { fields } = this;
    for (let index = 0; index < fields.length; index++) {
      const { where, node } = fields[index] as Field;
      if (node.key === name && node.parent === undefined && where !== 'name') return index;
    }
    return -1;
  }
}
