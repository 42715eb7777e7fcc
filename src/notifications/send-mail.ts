import { isIP } from 'node:net';
import type { Channel, MailSecurity, Notice, Sending } from '../contract/notification.ts';
import { checkedAddress } from '../telemetry/exporters/outgoing-address.ts';
import { mailOf } from './formats/mail.ts';

const connectMsMax = 8_000;

/** How a mail leaves. */
export interface MailWay {
  /** Whether a name may lead to this machine without saying so. */
  readonly isLocalAllowed: boolean;
  readonly until: AbortSignal;
}

/** Sends a mail by SMTP. Rejects where the server cannot be reached. */
export async function sendMail(
  { target }: Channel,
  notice: Notice,
  { isLocalAllowed, until }: MailWay,
): Promise<Sending> {
  const { host = '', port, security = 'tls', user, password, from = '', to = [] } = target;
  const address = await checkedAddress(host, isLocalAllowed);
  // Loaded with the first mail: other processes need neither its memory nor its time to load.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: address,
    port,
    ...encryptionOf(security, host),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: connectMsMax,
    // A message has no attachments, and is never to have any.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const close = () => transport.close();
  until.addEventListener('abort', close, { once: true });
  try {
    const { subject, text } = mailOf(notice);
    const sent = await transport.sendMail({
      from,
      to: [...to],
      subject,
      text,
      messageId: `<${notice.id}@${from.slice(from.indexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
    const { rejected } = sent;
    const missed = rejected.length === 0 ? '' : `; not for ${rejected.length} of ${to.length}`;
    return { kind: 'sent', answer: `${sent.response}${missed}` };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return refusal;
  } finally {
    until.removeEventListener('abort', close);
    transport.close();
  }
}

function encryptionOf(security: MailSecurity, host: string) {
  // The connection goes to an address; the certificate must be for the name.
  const tls = isIP(host) === 0 ? { servername: host } : {};
  switch (security) {
    case 'tls':
      return { secure: true, tls };
    case 'starttls':
      return { secure: false, requireTLS: true, tls };
    case 'none':
      return { secure: false, ignoreTLS: true };
  }
}

/** How the server refused a mail. A code of 5xx is permanent (RFC 5321, section 4.2.1). */
function refusalOf(error: unknown): Sending | undefined {
  if (!(error instanceof Error)) return undefined;
  const { responseCode, response } = error as Error & {
    readonly responseCode?: unknown;
    readonly response?: unknown;
  };
  if (typeof responseCode !== 'number') return undefined;
  const answer = typeof response === 'string' ? response : `answered ${responseCode}`;
  return { kind: responseCode >= 500 ? 'refused' : 'failed', answer };
}
