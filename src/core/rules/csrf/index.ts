import type { Detector } from '../rule.ts';
import { contentAutoForm, contentImage, contentVector } from './content-page.ts';
import { contentCredentials, contentScript } from './content-script.ts';
import { changingAddress, contentTypeConfusion, crossOrigin } from './request-origin.ts';

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
