import type { Detector } from '../rule.ts';
import { dataUrl } from './data-url.ts';
import { filterChain } from './filter-chain.ts';
import { localScript } from './local-script.ts';
import { remotePart } from './remote-part.ts';
import { remoteProgram } from './remote-program.ts';
import { remoteScript } from './remote-script.ts';
import { streamWrapper } from './stream-wrapper.ts';
import { uncScript } from './unc-script.ts';

/** Rules of the category `rfi`. */
export const rfi: Detector = {
  category: 'rfi',
  rules: [
    streamWrapper,
    filterChain,
    dataUrl,
    remoteScript,
    remoteProgram,
    remotePart,
    localScript,
    uncScript,
  ],
};
