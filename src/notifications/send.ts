import { hostname } from 'node:os';
import type { Channel, Notice, Sending } from '../contract/notification.ts';
import { printable } from '../contract/printable.ts';
import { endOf } from '../telemetry/exporters/outbox.ts';
import { AddressError, checkedAddress } from '../telemetry/exporters/outgoing-address.ts';
import { postGuarded } from '../telemetry/exporters/post-guarded.ts';
import { signedHeaders, signingKeyOf } from '../telemetry/exporters/signature.ts';
import { openCarrier } from '../telemetry/exporters/syslog.ts';
import { structured } from '../telemetry/exporters/syslog-message.ts';
import { parseSyslogUrl } from '../telemetry/exporters/syslog-url.ts';
import { slackBody } from './formats/slack.ts';
import { teamsBody } from './formats/teams.ts';
import { sendMail } from './send-mail.ts';

const sendMsMax = 10_000;
const answerCharsMax = 200;

/** What sends messages is made of. */
export interface SenderParts {
  readonly version: string;
  /** Whether messages may leave unencrypted, and for this machine under any name. */
  readonly isPlainAllowed: boolean;
}

/** Sends one message to one receiver. Never rejects. */
export type Send = (channel: Channel, notice: Notice) => Promise<Sending>;

/** What sends messages of every kind. */
export function createSender(parts: SenderParts): Send {
  return async (channel, notice) => {
    const until = AbortSignal.timeout(sendMsMax);
    try {
      return await Promise.race([sendBy(channel, notice, { ...parts, until }), endOf(until)]);
    } catch (error) {
      return {
        kind: error instanceof AddressError ? 'refused' : 'failed',
        answer: reasonOf(error),
      };
    }
  };
}

type Way = SenderParts & { readonly until: AbortSignal };

function sendBy(channel: Channel, notice: Notice, way: Way): Promise<Sending> {
  switch (channel.kind) {
    case 'webhook': {
      const data = { type: 'sallyport.notification', timestamp: new Date().toISOString() };
      return post(channel, { notice, body: JSON.stringify({ ...data, data: notice }), way });
    }
    case 'slack':
      return post(channel, { notice, body: slackBody(notice), way });
    case 'teams':
      return post(channel, { notice, body: teamsBody(notice), way });
    case 'email':
      return mail(channel, notice, way);
    case 'syslog':
      return writeSyslog(channel, notice, way);
  }
}

async function post(
  { kind, target }: Channel,
  { notice, body, way }: { readonly notice: Notice; readonly body: string; readonly way: Way },
): Promise<Sending> {
  const { url = '', secret } = target;
  const key = secret === undefined ? undefined : signingKeyOf(secret);
  const named = kind === 'webhook' ? signedHeaders(key, { id: `msg_${notice.id}`, body }) : {};
  const { delivery, text } = await postGuarded(url, {
    body,
    headers: { 'user-agent': `sallyport/${way.version}`, ...named },
    signal: way.until,
    isLocalAllowed: way.isPlainAllowed,
  });
  const shown = text.trim() === '' ? '' : `: ${cut(text.trim())}`;
  if (delivery.kind === 'sent') return { kind: 'sent', answer: `accepted${shown}` };
  const { kind: outcome, reason } = delivery;
  const wait = delivery.kind === 'failed' ? { retryAfterMs: delivery.retryAfterMs ?? 0 } : {};
  return { kind: outcome, answer: `${reason}${shown}`, ...wait };
}

async function mail(channel: Channel, notice: Notice, way: Way): Promise<Sending> {
  const { isPlainAllowed: isLocalAllowed, until } = way;
  const sending = await sendMail(channel, notice, { isLocalAllowed, until });
  return { ...sending, answer: cut(sending.answer) };
}

async function writeSyslog({ target }: Channel, notice: Notice, way: Way): Promise<Sending> {
  const place = parseSyslogUrl(target.url ?? '');
  if (place === undefined || place.kind === 'unix') {
    return { kind: 'refused', answer: 'the URL cannot be used' };
  }
  // The connection goes to what was checked: a second look-up may lead elsewhere.
  const address = await checkedAddress(place.host, way.isPlainAllowed);
  const { id, kind, blocked, wouldBlock, severity, channel, top, title, to, link } = notice;
  const message = structured(
    {
      at: to,
      name: 'notification',
      isWarning: blocked > 0,
      params: {
        id,
        kind,
        channel,
        blocked: String(blocked),
        wouldBlock: String(wouldBlock),
        severity,
        client: top.clients[0]?.value,
        rule: top.rules[0]?.value,
        policy: top.policies[0]?.value,
        link,
      },
      text: title,
    },
    { hostname: hostname(), pid: process.pid, facility: place.facility },
  );
  const carrier = openCarrier({ ...place, address });
  try {
    await carrier.send([message], way.until);
  } finally {
    carrier.close();
  }
  // Syslog has no confirmation.
  return { kind: 'sent', answer: 'written' };
}

/** What went wrong. Messages of Node.js may name the host, but no path: that may be a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const { name, message } = error;
  if (name === 'TimeoutError') return `no answer within ${sendMsMax / 1_000} seconds`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The mail library has codes of its own, and that of the system in its message.
  const known = words[code] ?? words[systemCode.exec(message)?.[0] ?? ''];
  return cut(known ?? message);
}

const systemCode = /\bE[A-Z_]+\b/;
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the receiver closed the connection',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** A text of the receiver, fit to be stored and shown. */
function cut(text: string): string {
  const short = text.length > answerCharsMax ? `${text.slice(0, answerCharsMax)}…` : text;
  return printable(short).slice(0, 2 * answerCharsMax);
}
