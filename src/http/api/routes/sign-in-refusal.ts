import type { Management } from '../../../contract/management.ts';
import type { RefusalNote, SignInRefusal } from '../../../contract/sign-in.ts';
import { type ApiAnswer, type ApiCall, problem } from '../api-route.ts';
import { note } from './shapes.ts';

/** The answer to a sign-in that was refused, which goes into the audit. */
export async function refusal(
  outcome: SignInRefusal,
  {
    call,
    parts,
    name,
  }: { readonly call: ApiCall; readonly parts: Management; readonly name: string },
): Promise<ApiAnswer> {
  switch (outcome.kind) {
    case 'refused':
      if (outcome.note !== undefined) await noteRefusal(outcome.note, call, parts);
      return { kind: 'problem', code: 'sign-in-refused', refusedName: name };
    case 'code-needed':
      return problem('second-factor-needed');
    case 'wrong-code':
      if (outcome.note !== undefined) await noteRefusal(outcome.note, call, parts);
      return { kind: 'problem', code: 'second-factor-refused', refusedName: name };
    case 'busy':
      return problem('overloaded');
    case 'limited': {
      const seconds = outcome.retryAfterSeconds;
      return {
        kind: 'problem',
        code: 'too-many-attempts',
        detail: `Too many failed attempts. Try again in ${waitText(seconds)}.`,
        headers: [['retry-after', String(seconds)]],
      };
    }
  }
}

async function noteRefusal(due: RefusalNote, call: ApiCall, parts: Management): Promise<void> {
  const { name } = due;
  const who = name === '' ? 'an unknown name' : name;
  const summary = `refused a sign-in as ${who}${timesText(due)}`;
  await note(call, parts, { action: 'session.refuse', target: name, summary });
}

/** How many refusals an entry of the audit stands for, where it is not one. */
export function timesText({ failures }: RefusalNote): string {
  return failures === 1 ? '' : `, ${failures} times since the last entry`;
}

function waitText(seconds: number): string {
  return seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
