/**
 * Cuts pieces out of texts for as long as `holds`, halves first and single characters last (delta
 * debugging, Zeller and Hildebrandt 2002). Each text is cut for itself.
 */
export async function shorten(
  texts: readonly string[],
  holds: (texts: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  let best = texts;
  for (const index of texts.keys()) {
    let size = Math.ceil((best[index] ?? '').length / 2);
    while (size > 0) {
      const before = best;
      for (let from = 0; from < (best[index] ?? '').length; ) {
        const text = best[index] ?? '';
        const shorter = best.with(index, text.slice(0, from) + text.slice(from + size));
        if (await holds(shorter)) best = shorter;
        else from += size;
      }
      if (size > 1 || best === before) size = Math.floor(size / 2);
    }
  }
  return best;
}
