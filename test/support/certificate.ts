import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes a certificate for localhost that nobody vouches for, and its key. Needs openssl. */
export function makeCertificate(folder: string): {
  readonly certFile: string;
  readonly keyFile: string;
} {
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const out = ['-keyout', files.keyFile, '-out', files.certFile];
  execFileSync('openssl', [...request.split(' '), ...subject, ...out], { stdio: 'ignore' });
  return files;
}
