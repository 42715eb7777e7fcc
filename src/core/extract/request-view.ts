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
  const places = new Map<string | number, number>();
  for (const [index, { where, node }] of fields.entries()) {
    if (where === 'name' || node.parent !== undefined || places.has(node.key)) continue;
    places.set(node.key, index);
  }
  const indexOf = (name: string): number => places.get(name) ?? -1;
  return { fields, indexOf, get: (name) => fields[indexOf(name)]?.text };
}
