/** The public address as paths are appended to it. */
export function baseOf(publicUrl: string): string {
  return publicUrl.replace(/\/+$/, '');
}

/** The page below the public address that the identity provider sends browsers back to. */
export const providerCallbackPath = '/dashboard/single-sign-on';
