import type { ClientReport } from '../../contract/client-report.ts';
import { limits } from '../../contract/limits.ts';
import { clientReportSchema } from '../../contract/schemas/client-report.ts';
import { writeAnswer } from '../answer.ts';
import { bodyValidator } from '../api/validate.ts';
import { authenticate, type KeyedRoute } from '../authenticate.ts';
import type { Exchange } from '../exchange.ts';
import { respondProblem, statusLine } from '../problem.ts';
import { acceptsBody, readBody } from '../read-body.ts';
import type { UwsRequest } from '../uws.ts';
import { validateBody } from '../validate.ts';

const checkReport = bodyValidator(clientReportSchema);

const route: KeyedRoute = { use: 'screen', again: clientReport };

/** `POST /control/report`: what a client could not have screened since its last report. */
export function clientReport(exchange: Exchange, req: UwsRequest): void {
  const grant = authenticate(exchange, req, route);
  if (grant === undefined) return;
  exchange.bodyBytesMax = limits.clientReportBytesMax;
  if (!acceptsBody(exchange, req)) return;
  readBody(exchange, (body) => {
    if (!validateBody(exchange, body)) return;
    const checked = checkReport(JSON.parse(Buffer.from(body).toString('utf8')));
    if (checked.kind === 'not-valid') {
      respondProblem(exchange, 'request-not-valid', { errors: checked.errors });
      return;
    }
    exchange.service.clientReports?.reported(grant.keyId, checked.value as ClientReport);
    writeAnswer(exchange, { status: statusLine(204), type: '', body: '' });
  });
}
