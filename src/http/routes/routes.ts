import { writeAnswer } from '../answer.ts';
import { type Exchange, openExchange, type Service } from '../exchange.ts';
import { hasClearFraming } from '../framing.ts';
import { Head } from '../head.ts';
import { respondDefect, respondProblem, statusLine } from '../problem.ts';
import type { UwsApp, UwsHandler, UwsRequest } from '../uws.ts';
import { clientReport } from './client-report.ts';
import { control } from './control.ts';
import { dashboard, home } from './dashboard.ts';
import { forwardAuth } from './forward-auth.ts';
import { keyStatus } from './key-status.ts';
import { livez } from './livez.ts';
import { metrics } from './metrics.ts';
import { notFound } from './not-found.ts';
import { openapi } from './openapi.ts';
import { readyz } from './readyz.ts';

type Route = (exchange: Exchange, req: UwsRequest) => void;

/** Attaches the routes for monitoring. */
export function attachWatching(app: UwsApp, service: Service): void {
  app.any('/metrics', handler(service, allowing(['GET', 'HEAD'], metrics)));
  app.any('/livez', handler(service, allowing(['GET', 'HEAD'], livez)));
  app.any('/readyz', handler(service, allowing(['GET', 'HEAD'], readyz)));
  app.any('/*', handler(service, notFound));
}

/** Attaches every route to an app; the metrics only where they have no port of their own. */
export function attachRoutes(
  app: UwsApp,
  service: Service,
  { withMetrics }: { readonly withMetrics: boolean },
): void {
  app.post('/control', handler(service, control, 'POST'));
  app.any('/control', handler(service, allowing(['GET', 'HEAD', 'POST'], keyStatus)));
  app.any('/control/report', handler(service, allowing(['POST'], clientReport)));
  if (service.mapper !== undefined) {
    app.any('/forward', handler(service, forwardAuth));
    app.any('/forward/*', handler(service, forwardAuth));
  }
  app.any('/livez', handler(service, allowing(['GET', 'HEAD'], livez)));
  app.any('/readyz', handler(service, allowing(['GET', 'HEAD'], readyz)));
  app.any('/dashboard', handler(service, allowing(['GET', 'HEAD'], dashboard)));
  app.any('/dashboard/*', handler(service, allowing(['GET', 'HEAD'], dashboard)));
  app.any('/', handler(service, allowing(['GET', 'HEAD'], home)));
  app.any('/openapi.json', handler(service, allowing(['GET', 'HEAD'], openapi)));
  if (withMetrics) app.any('/metrics', handler(service, allowing(['GET', 'HEAD'], metrics)));
  if (service.api !== undefined) app.any('/api/*', handler(service, service.api));
  app.any('/*', handler(service, notFound));
}

const head = new Head();

/** Wraps a route for uWebSockets.js; nothing may be thrown into native code. */
function handler(service: Service, route: Route, method?: string): UwsHandler {
  return (res, req) => {
    head.read(req);
    const exchange = openExchange(service, res, head, method ?? req.getCaseSensitiveMethod());
    try {
      if (hasClearFraming(exchange, head)) route(exchange, head);
    } catch (error) {
      respondDefect(exchange, error);
    }
    exchange.req = undefined;
  };
}

/** Answers OPTIONS and the methods that a path does not take. */
function allowing(methods: readonly string[], route: Route): Route {
  const headers = [['allow', methods.join(', ')]] as const;
  return (exchange, req) => {
    const method = req.getCaseSensitiveMethod();
    if (methods.includes(method)) route(exchange, req);
    else if (method === 'OPTIONS') writeAnswer(exchange, { ...noContent, headers });
    else respondProblem(exchange, 'method-not-allowed', { headers });
  };
}

const noContent = { status: statusLine(204), type: '', body: '' };
