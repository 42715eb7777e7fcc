import { isUtf8 } from 'node:buffer';

/** Larger bodies are not parsed a second time. */
const parsedMax = 65_536;

/** The members of a body: our own clients send the context there. */
export function membersOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  if (body.length > parsedMax || !isUtf8(body)) return {};
  return membersIn(new TextDecoder().decode(body));
}

/** The same of a body that has been read as text. */
export function membersIn(body: string): Readonly<Record<string, unknown>> {
  if (body.length > parsedMax) return {};
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
