import { useEffect, useState } from 'preact/hooks';

/** Modules of white around it: ISO/IEC 18004 asks for four. */
const border = 4;

interface Drawn {
  readonly size: number;
  /** Of the black modules. */
  readonly path: string;
}

/** A text for a camera, drawn here: nothing is sent anywhere. The code that draws is loaded with it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [drawn, setDrawn] = useState<Drawn | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    draw(text).then(
      (done) => isWanted && setDrawn(done),
      // Without it the text beside it must do.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (drawn === undefined) return null;
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${drawn.size} ${drawn.size}`}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={drawn.path} fill="#000" />
    </svg>
  );
}

async function draw(text: string): Promise<Drawn> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border });
  const path = data
    .flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size, path };
}
