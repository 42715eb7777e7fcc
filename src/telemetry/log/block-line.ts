import type { Finding, Verdict } from '../../contract/verdict.ts';
import type { BlockTexts } from '../../contract/written-block.ts';
import { redactText } from './redact.ts';

type LineTexts = Pick<BlockTexts, 'logEvent' | 'logRequest' | 'logOwn' | 'logRule' | 'logUrl'>;

/** What the line says of the request; '' is unknown. */
export interface RequestLine {
  readonly method: string;
  readonly domain: string;
  readonly urlPath: string;
}

const pointerCharsMax = 200;
/** A name that no person has given: a key, a token, a digest. */
const randomName = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}(?![\w-])/gi;
/** Stands for a member name that is the evidence itself. */
const hiddenName = '/[name]';

/**
 * An alert in the words of ECS, https://www.elastic.co/docs/reference/ecs; what it has no field for
 * stands below `sallyport`. It holds no value of the request.
 */
export function lineTexts(
  verdict: Verdict,
  { monitored }: { readonly monitored: boolean },
  request: RequestLine,
): LineTexts {
  const { method, domain, urlPath } = request;
  const [strongest] = verdict.findings;
  const url = [
    ...(domain === '' ? [] : [`"domain":${quoted(domain)}`]),
    ...(urlPath === '' ? [] : [`"path":${quoted(urlPath)}`]),
  ].join(',');
  return {
    logEvent:
      `"kind":"alert","category":["intrusion_detection"],` +
      `"type":["${monitored ? 'allowed' : 'denied'}"],` +
      `"action":"${monitored ? 'would-block' : 'block'}",` +
      `"outcome":"success","risk_score":${verdict.score}`,
    logRequest: method === '' ? '' : `,"method":${quoted(method)}`,
    logOwn: ownTexts(verdict, strongest),
    logRule: strongest === undefined ? '' : `,"rule":${ruleText(strongest)}`,
    logUrl: url === '' ? '' : `,"url":{${url}}`,
  };
}

function ownTexts({ findings, coverage }: Verdict, strongest: Finding | undefined): string {
  const count = `"findings":${findings.length}`;
  if (strongest === undefined) return `${count},"incomplete":${JSON.stringify(coverage.reasons)}`;
  const pointer = quoted(safePointer(strongest, findings));
  return `${count},"pointer":${pointer},"decodings":${JSON.stringify(strongest.decoded)}`;
}

function ruleText({ rule, category, message, cwe }: Finding): string {
  const reference = `https://cwe.mitre.org/data/definitions/${cwe.replace('CWE-', '')}.html`;
  return JSON.stringify({ id: rule, category, description: redactText(message), reference });
}

function quoted(text: string): string {
  return JSON.stringify(redactText(text));
}

/** The pointer without names that are evidence: what an attacker wrote is not logged. */
function safePointer(finding: Finding, findings: readonly Finding[]): string {
  let pointer = finding.pointer;
  const names = findings.filter(({ where }) => where === 'name').map((other) => other.pointer);
  // Deepest first, so that those above it are still found at the head of the pointer.
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    if (pointer !== name && !pointer.startsWith(`${name}/`)) continue;
    pointer = name.slice(0, name.lastIndexOf('/')) + hiddenName + pointer.slice(name.length);
  }
  pointer = pointer.replace(randomName, hiddenName.slice(1));
  return pointer.length > pointerCharsMax ? `${pointer.slice(0, pointerCharsMax)}…` : pointer;
}
