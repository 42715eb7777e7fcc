import type { Detector } from '../rule.ts';
import { changingAddress } from './changing-address.ts';
import { contentCredentials } from './content-credentials.ts';
import { contentAutoForm, contentImage } from './content-page.ts';
import { contentScript } from './content-script.ts';
import { contentVector } from './content-vector.ts';
import { contentTypeConfusion, crossOrigin } from './request-origin.ts';

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
