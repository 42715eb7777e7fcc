import type { Detector } from '../rule.ts';
import { changingAddress } from './changing-address.ts';
import { contentAutoForm } from './content-auto-form.ts';
import { contentCredentials } from './content-credentials.ts';
import { contentImage } from './content-image.ts';
import { contentScript } from './content-script.ts';
import { contentTypeConfusion } from './content-type-confusion.ts';
import { contentVector } from './content-vector.ts';
import { crossOrigin } from './cross-origin.ts';

/**
 * Cross-site request forgery: by what the browser says of the request, and by what a value would
 * do.
 */
export const csrf: Detector = {
  category: 'csrf',
  rules: [
    crossOrigin,
    changingAddress,
    contentTypeConfusion,
    contentAutoForm,
    contentVector,
    contentImage,
    contentCredentials,
    contentScript,
  ],
};
