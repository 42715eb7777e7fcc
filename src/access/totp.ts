import { Secret, TOTP } from 'otpauth';

/** What every authenticator app takes: RFC 6238 with SHA-1, six digits and steps of 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226, section 4: a secret as long as the digest. */
const secretBytes = 20;
/** How many steps a clock may be wrong, in either direction. */
const stepsOff = 1;
const issuer = 'Sallyport';
const form = /^\d{6}$/;

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The secret as apps read it, mostly from a QR code. */
export function totpUri(secret: string, name: string): string {
  return new TOTP({ ...parameters, issuer, label: name, secret }).toString();
}

/** Whether a text has the form of a code. */
export function isTotpCode(text: string): boolean {
  return form.test(text);
}

/** The step (of 30 seconds, since 1970) that a code belongs to; undefined for a wrong code. */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const totp = new TOTP({ ...parameters, secret });
  const delta = totp.validate({ token: code, timestamp: now, window: stepsOff });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
