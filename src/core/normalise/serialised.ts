/**
 * How serialised objects begin in base64: Java (`AC ED 00 05`), .NET BinaryFormatter, Python pickle
 * from protocol 2 on, Ruby Marshal.
 */
export function isSerialised(text: string, start: number): boolean {
  if (!'rAgB'.includes(text.charAt(start))) return false;
  return serialisedHeads.some((head) => text.startsWith(head, start));
}

const serialisedHeads = ['rO0AB', 'AAEAAAD/////', 'gAJ', 'gAN', 'gASV', 'gAWV', 'BAh'];
