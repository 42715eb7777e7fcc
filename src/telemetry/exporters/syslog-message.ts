import { categoryTitle } from '../../contract/category.ts';
import type { StoredEvent } from '../../contract/event.ts';

/** The sender, as in every message. */
export interface SyslogSender {
  readonly hostname: string;
  readonly pid: number;
  /** RFC 5424, section 6.2.1: 16 is local0. */
  readonly facility: number;
}

const warning = 4;
const notice = 5;
/** There is no number of our own at IANA: this is the one for examples (RFC 5612). */
const structuredDataId = 'sallyport@32473';
const valueCharsMax = 200;

/** A block as a message of RFC 5424: a sentence for people, structured data for programs. */
export function syslogMessage(event: StoredEvent, sender: SyslogSender): string {
  const [strongest] = event.findings;
  const params = {
    id: event.id,
    requestId: event.requestId,
    traceId: event.traceId,
    decision: event.decision,
    category: event.category,
    rule: event.rule,
    cwe: strongest?.cwe,
    severity: strongest?.severity,
    score: String(event.score),
    threshold: String(event.threshold),
    pointer: event.pointer,
    keyId: event.keyId,
    keyName: event.keyName,
    policyId: event.policyId,
    method: event.method,
    client: event.client,
  };
  const { at, decision } = event;
  const isWarning = decision === 'block';
  return structured({ at, name: decision, isWarning, params, text: sentenceOf(event) }, sender);
}

/** A message of RFC 5424. Parameters without a value are left out; the text must be plain. */
export function structured(
  message: {
    /** ISO 8601. */
    readonly at: string;
    readonly name: string;
    readonly isWarning: boolean;
    readonly params: Readonly<Record<string, string | undefined>>;
    readonly text: string;
  },
  { hostname, pid, facility }: SyslogSender,
): string {
  const priority = facility * 8 + (message.isWarning ? warning : notice);
  const head = `<${priority}>1 ${message.at} ${asciiName(hostname)} sallyport ${pid} ${message.name}`;
  const data = Object.entries(message.params)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${paramValue(value)}"`]))
    .join(' ');
  return `${head} [${structuredDataId} ${data}] ${message.text}`;
}

function sentenceOf({ decision, findings, category, pointer }: StoredEvent): string {
  const did = decision === 'block' ? 'blocked' : 'would block';
  if (findings.length === 0) return `${did}: not screened completely`;
  const place = pointer === '' ? 'the request' : cut(plainText(pointer));
  return `${did}: ${categoryTitle[category]} in ${place}`;
}

/** Section 6.3.3: these three are escaped; line breaks would end the message for some receivers. */
function paramValue(text: string): string {
  return cut(plainText(text)).replace(/["\\\]]/g, '\\$&');
}

function plainText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').toWellFormed();
}

function cut(text: string): string {
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax).toWellFormed()}…` : text;
}

/** A name of printable ASCII without spaces; `-` stands for none. */
function asciiName(name: string): string {
  const plain = name.replace(/[^\x21-\x7e]/g, '').slice(0, 255);
  return plain === '' ? '-' : plain;
}
