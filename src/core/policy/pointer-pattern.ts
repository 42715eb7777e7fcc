/** Tells the pointers that a pattern stands for. */
export type PointerPattern = (pointer: string) => boolean;

/**
 * Compiles a pattern: an RFC 6901 pointer in which `*` stands for one segment and a final `**` for
 * any rest, also for none.
 */
export function compilePointerPattern(pattern: string): PointerPattern {
  const wanted = pattern.split('/');
  const isOpen = wanted.length > 1 && wanted.at(-1) === '**';
  if (isOpen) wanted.pop();
  return (pointer) => {
    const segments = pointer.split('/');
    if (isOpen ? segments.length < wanted.length : segments.length !== wanted.length) return false;
    return wanted.every((one, index) => (one === '*' && index > 0) || one === segments[index]);
  };
}
