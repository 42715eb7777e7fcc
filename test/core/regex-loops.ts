/** From how many times on a repetition counts as one without a bound. */
const boundMin = 4;

/**
 * The groups of a pattern that it repeats and that choose or repeat within, each as a pattern of its
 * own: bounds of their repetitions taken away, so that work which doubles with each round shows
 * although the rounds are bounded. Assertions and back references are left out, which may only add
 * ways to match.
 */
export function findLoops(source: string): string[] {
  const open: { start: number; isAssertion: boolean; found: number }[] = [];
  let loops: string[] = [];
  let out = '';
  for (let at = 0; at < source.length; ) {
    const piece = pieceAt(source, at);
    at += piece.length;
    if (piece.startsWith('(')) {
      open.push({ start: out.length, isAssertion: assertion.test(piece), found: loops.length });
      out += '(?:';
    } else if (piece === ')') {
      const group = open.pop() as (typeof open)[number];
      const repeats = quantifier.exec(source.slice(at))?.[0] ?? '';
      at += repeats.length;
      if (group.isAssertion) {
        out = `${out.slice(0, group.start)}(?:)`;
        loops = loops.slice(0, group.found);
      } else {
        out += ')';
        if (isLoop(repeats)) {
          const body = out.slice(group.start);
          loops = loops.slice(0, group.found);
          if (choice.test(body.slice(3))) loops.push(body);
        }
        out += unbounded(repeats);
      }
    } else out += backReference.test(piece) ? '(?:)' : unbounded(piece);
  }
  return loops;
}

const assertion = /^\(\?<?[=!]$/;
const backReference = /^\\(?:k<|[1-9])/;
const choice = /[*+?|{]/;
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

function pieceAt(source: string, at: number): string {
  return (piece.exec(source.slice(at)) as RegExpExecArray)[0];
}

/** An escape, a class, the beginning of a group, a quantifier, or a character. */
const piece =
  /^(?:\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|k<\w+>|c[a-z]|.)|\[(?:[^\]\\]|\\.)*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|.)/is;

function isLoop(repeats: string): boolean {
  const [, least = '', most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(repeats) ?? [];
  return /^[*+]/.test(repeats) || (least !== '' && (most === '' || Number(most) >= boundMin));
}

function unbounded(piece: string): string {
  if (!isLoop(piece)) return piece;
  return /^(?:\*|\{0,)/.test(piece) ? '*' : '+';
}
