import type { ApiRoute } from '../../api/api-route.ts';
import { keyRoutes } from './keys.ts';
import { overviewRoutes } from './overview.ts';
import { sessionRoutes } from './session.ts';

/** Every route of the management API. */
export const apiRoutes: readonly ApiRoute[] = [...sessionRoutes, ...overviewRoutes, ...keyRoutes];
