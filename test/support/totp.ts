import { TOTP } from 'otpauth';

/** The code that an authenticator app shows so many steps of 30 seconds from a time on. */
export function totpCode(secret: string, steps = 0, now = Date.now()): string {
  return new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 });
}
