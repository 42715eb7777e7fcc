import { type Url, urlLiterals } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isLoadedBy, strongestUrl } from '../../placement/fetch-place.ts';
import type { ValueRule } from '../rule.ts';

/** The address under which a cloud machine finds its own credentials. */
export const metadataHost: ValueRule = {
  id: 'ssrf.metadata-host',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the server call the metadata service of its cloud',
  trigger: { literals: [urlLiterals] },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      if (url.hostKind !== 'metadata') return 0;
      if (isValue) return confidence.certain;
      return isLoadedBy(subject.text, url.start)
        ? confidence.strong
        : isSecret(subject.text, url)
          ? confidence.likely
          : confidence.hint;
    }),
  examples: [
    ...['http://169.254.169.254/latest/meta-data/', 'http://0xa9fea9fe/latest/user-data'],
    ...['telnet:/169.254.169.254', 'http://[::ffff:169.254.169.254]/'],
    ...['https://metadata.google.internal/computeMetadata/v1/', 'http://[fd00:ec2::254]/latest/'],
    ...['/proxy?u=http://100.100.100.200/latest/meta-data/', 'http://instance-data:2375:/'],
    '<img src="http://169.254.169.254/latest/user-data">',
    '![x](http://169.254.169.254/latest/user-data)',
  ],
  lookalikes: [
    ...['https://169.254.example.org/', 'https://docs.example.com/metadata/latest'],
    'On EC2 an instance reads http://169.254.169.254/ to learn about itself, says the manual.',
    ...['link-local is 169.254.0.0/16', 'smtp:/mail.example.com, telnet: 169.254.1.1 is off'],
  ],
};

/** Manuals name the service; the path to its credentials is what one goes there for. */
function isSecret(text: string, url: Url): boolean {
  if (url.place !== 'prose') return false;
  return secretPath.test(text.slice(url.pathStart, url.pathStart + 100));
}

const secretPath =
  /\/(?:security-credentials|service-accounts\/[\w-]{1,40}\/token|identity\/oauth2\/token)/;
