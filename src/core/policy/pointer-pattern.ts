import { depthOf, type PathNode } from '../extract/field.ts';

/** Tells the places that a pattern stands for. */
export type PointerPattern = (place: PathNode | undefined) => boolean;

/**
 * Compiles a pattern: an RFC 6901 pointer in which `*` stands for one segment and a final `**` for
 * any rest, also for none. A place is compared name by name from its end, never as one text: many
 * places may share a path that is half of the body.
 */
export function compilePointerPattern(pattern: string): PointerPattern {
  const wanted = pattern.split('/').slice(1);
  const isOpen = wanted.at(-1) === '**';
  if (isOpen) wanted.pop();
  const keys = wanted.map((one) => (one === '*' ? undefined : keyOf(one)));
  return (place) => {
    const rest = depthOf(place) - keys.length;
    if (isOpen ? rest < 0 : rest !== 0) return false;
    let at = place;
    for (let i = 0; i < rest; i++) at = at?.parent;
    for (let i = keys.length - 1; i >= 0; i--, at = at?.parent) {
      const key = keys[i];
      if (key !== undefined && key !== String(at?.key)) return false;
    }
    return true;
  };
}

/** The same for a pointer that is a text. */
export function pointerPattern(pattern: string): (pointer: string) => boolean {
  const isAt = compilePointerPattern(pattern);
  return (pointer) => isAt(placeOf(pointer));
}

/** The place that a pointer names; undefined for the whole body. */
function placeOf(pointer: string): PathNode | undefined {
  let place: PathNode | undefined;
  for (const segment of pointer.split('/').slice(1)) place = { parent: place, key: keyOf(segment) };
  return place;
}

/** The name that a segment of a pointer spells (RFC 6901, 4). */
export function keyOf(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
