import type { Detector } from '../rule.ts';
import { authorityConfusion } from './authority-confusion.ts';
import { bareAddress } from './bare-address.ts';
import { forwardedHost } from './forwarded-host.ts';
import { hostFragment } from './host-fragment.ts';
import { internalService } from './internal-service.ts';
import { metadataHost } from './metadata-host.ts';
import { oddAddress } from './odd-address.ts';
import { rebindingName } from './rebinding-name.ts';
import { scheme } from './scheme.ts';

/** Rules of the category `ssrf`. */
export const ssrf: Detector = {
  category: 'ssrf',
  rules: [
    metadataHost,
    oddAddress,
    internalService,
    scheme,
    authorityConfusion,
    rebindingName,
    forwardedHost,
    hostFragment,
    bareAddress,
  ],
};
