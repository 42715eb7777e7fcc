import { membersOf } from '../client-request/request-members.ts';
import type { MappedRequest, ProxiedRequest } from '../contract/ports.ts';

/** Writes a request as the middleware would: the same members, and so the same verdict. */
export async function mapRequest(request: ProxiedRequest): Promise<MappedRequest> {
  const { method, url, headers, body, isBodyComplete } = request;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const { texts, isComplete } = await membersOf(
    // The proxy tells its client's address in `x-forwarded-for`.
    { method, url, headers, address: '' },
    { kind: 'raw', bytes, isComplete: isBodyComplete },
  );
  return { bodies: texts.map((text) => Buffer.from(text)), isComplete };
}
