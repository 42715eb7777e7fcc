/** The public address as paths are appended to it. */
export function baseOf(publicUrl: string): string {
  return publicUrl.replace(/\/+$/, '');
}
