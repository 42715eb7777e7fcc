import type { ApiRoute } from '../api-route.ts';
import { addressRoutes } from './addresses.ts';
import { administratorRoutes } from './administrators.ts';
import { auditRoutes } from './audit.ts';
import { backChannelLogoutRoutes } from './back-channel-logout.ts';
import { candidateRoutes } from './candidates.ts';
import { eventRoutes } from './events.ts';
import { explainRoutes } from './explain.ts';
import { invitationRoutes } from './invitations.ts';
import { keyUsageRoutes } from './key-usage.ts';
import { keyRoutes } from './keys.ts';
import { learntShapeRoutes } from './learnt-shape.ts';
import { notificationRoutes } from './notifications.ts';
import { overviewRoutes } from './overview.ts';
import { policyRoutes } from './policies.ts';
import { previewRoutes } from './preview.ts';
import { ruleUseRoutes } from './rule-use.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { sessionRoutes } from './session.ts';
import { sessionListRoutes } from './sessions.ts';
import { shapeRoutes } from './shape.ts';
import { singleSignOnRoutes } from './single-sign-on.ts';
import { statsRoutes } from './stats.ts';
import { triageRoutes } from './triage.ts';
import { versionRoutes } from './versions.ts';

/** Every route of the management API. */
export const apiRoutes: readonly ApiRoute[] = [
  ...sessionRoutes,
  ...overviewRoutes,
  ...ruleUseRoutes,
  ...eventRoutes,
  ...triageRoutes,
  ...previewRoutes,
  ...explainRoutes,
  ...keyRoutes,
  ...keyUsageRoutes,
  ...policyRoutes,
  ...versionRoutes,
  ...candidateRoutes,
  ...shapeRoutes,
  ...addressRoutes,
  ...notificationRoutes,
  ...learntShapeRoutes,
  ...statsRoutes,
  ...auditRoutes,
  ...administratorRoutes,
  ...invitationRoutes,
  ...sessionListRoutes,
  ...secondFactorRoutes,
  ...singleSignOnRoutes,
  ...backChannelLogoutRoutes,
];
