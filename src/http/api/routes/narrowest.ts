import type { StoredEvent } from '../../../contract/event.ts';

/** Segments of a pointer that stand for a place in a list. */
const index = /^\d{1,9}$/;

/**
 * The exclusion that frees a block and as little else as can be: its rule at its member. Places in
 * lists are left open, and so is a name that is the evidence itself: neither comes again.
 */
export function narrowest(event: Pick<StoredEvent, 'pointer' | 'rule' | 'findings'>): {
  readonly pointer: string;
  readonly rule: string;
} {
  const { rule } = event;
  const isName = event.findings[0]?.where === 'name';
  const segments = event.pointer.split('/');
  const pattern = segments.map((segment, at) => {
    if (at === 0) return segment;
    return index.test(segment) || (isName && at === segments.length - 1) ? '*' : segment;
  });
  return { pointer: pattern.join('/'), rule };
}
