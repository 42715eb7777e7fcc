import {
  type Members,
  membersOf,
  type RequestBody,
} from '../../src/client-request/request-members.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export const sql = "' OR 1=1 --";
export const raw = (bytes: string | Buffer, isComplete = true): RequestBody => ({
  kind: 'raw',
  bytes: Buffer.from(bytes),
  isComplete,
});

export function read(body: RequestBody, headers: Headers = {}, url = '/'): Promise<Members> {
  return membersOf({ method: 'POST', url, headers, address: '' }, body);
}

const engine = createEngine();
export const isBlocked = ({ texts }: Members): boolean =>
  texts.some((text) => {
    const result = engine.screen({ body: text, context: noContext }, defaultPolicy);
    return result.kind === 'verdict' && result.verdict.decision === 'block';
  });

export const bodyStrings = ({ texts }: Members): unknown[] =>
  texts.flatMap((text) =>
    Object.entries(JSON.parse(text) as object).flatMap(([name, value]) =>
      name.startsWith('body') ? [value] : [],
    ),
  );
