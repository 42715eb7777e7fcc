import { mapRequest } from '../src/pool/map-request.ts';

// What the thread of the request mapper does; it knows nothing of the core.
export { mapRequest };
