import type { BlockRecord, LineLog } from '../../contract/ports.ts';
import type { BlockTexts } from '../../contract/written-block.ts';
import { redactText } from './redact.ts';

/** What the front end knows of a block. */
export type BlockLine = Pick<
  BlockRecord,
  'decisionId' | 'requestId' | 'traceId' | 'keyId' | 'policyId' | 'policyVersion' | 'monitored'
>;

/** One line per block: where, why and from whom, and no value of the request. */
export function createDecisionLog(log: LineLog): {
  /** `client` is the address of the client, '' when it is unknown. */
  blocked(record: BlockLine, texts: BlockTexts, client: string): void;
} {
  return {
    blocked(record, texts, client) {
      log.line(lineOf(record, texts, client), record.monitored ? 'would block' : 'blocked');
    },
  };
}

/**
 * Puts the ids between the texts as they are: none can hold a quote or a backslash. The id of the
 * request may be the caller's, so it is redacted.
 */
function lineOf(record: BlockLine, texts: BlockTexts, client: string): string {
  const { decisionId, requestId, traceId, keyId, policyId, policyVersion } = record;
  const request = requestId === decisionId ? requestId : redactText(requestId);
  return (
    `"event":{${texts.logEvent},"id":"${decisionId}"},` +
    `"http":{"request":{"id":"${request}"${texts.logRequest}}},` +
    (traceId === undefined ? '' : `"trace":{"id":"${traceId}"},`) +
    `"sallyport":{"key_id":"${keyId}","policy_id":"${policyId}",` +
    `"policy_version":${policyVersion},${texts.logOwn}}${texts.logRule}` +
    (client === '' ? '' : `,"source":{"ip":"${client}"}`) +
    texts.logUrl
  );
}
