import { catcherZones } from '../../grammars/url/host.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** The name of a vulnerability scanner in the place of a browser's. */
export const scannerAgent: ValueRule = {
  id: 'other.scanner-agent',
  cwe: 'CWE-200',
  severity: 'low',
  score: confidence.likely,
  message: 'names a vulnerability scanner as the client',
  trigger: {
    literals: [
      [
        'sqlmap/',
        'nikto',
        'nmap scripting',
        ...wordList(
          'acunetix nessus wpscan masscan dirbuster gobuster feroxbuster nuclei openvas',
          'w3af havij arachni zmeu jorgee whatweb commix',
        ),
        'fuzz faster',
        ...wordList(
          'wfuzz webinspect netsparker qualysguard morfeus joomscan skipfish xsser dalfox',
          'absinthe bsqlbf pangolin grendel-scan vega/ zaproxy zgrab',
        ),
        'owasp zap',
        ...wordList(
          'xsstrike jaeles dirsearch l9explore l9tcpid tplmap droopescan cmsmap fimap',
          'golismero pocsuite sqlninja nosqlmap',
        ),
        ...catcherZones.map((zone) => `.${zone}`),
      ],
    ],
  },
  judge: (subject) => {
    if (!agentMember.test(subject.member.slice(-40))) return undefined;
    const text = subject.text.slice(0, agentCharsMax);
    return foundBy(product.exec(text)) ?? catcherIn(text);
  },
  examples: [
    { body: { 'header.user-agent': 'sqlmap/1.8.2#stable (https://sqlmap.org)' } },
    { body: { 'user-agent': 'Mozilla/5.00 (Nikto/2.1.6) (Evasions:None) (Test:000001)' } },
    {
      body: {
        user_agent:
          'Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)',
      },
    },
    { body: { 'header.user-agent': 'Mozilla/5.0 zgrab/0.x' } },
    { body: { 'header.user-agent': 'Fuzz Faster U Fool v2.1.0' } },
    { body: { 'header.user-agent': 'Mozilla/5.0 root@a1b2c3.oast.fun' } },
  ],
  lookalikes: [
    {
      body: {
        'header.user-agent':
          'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
      },
    },
    { body: { q: 'how to install nikto' } },
    { body: { 'header.user-agent': 'Mozilla/5.0 (compatible; ann@mail.example.com)' } },
    { body: { email: 'ann@a1b2c3.oast.fun' } },
    { body: { message: 'We ran nessus and sqlmap/1.8 against our own site' } },
    { body: { 'header.user-agent': 'Vegan-Reader/1.0' } },
    {
      body: { 'header.user-agent': 'Mozilla/5.0 (+https://www.interact.shop/bot) news.eyes.shop' },
    },
  ],
};

const agentCharsMax = 400;
const agentMember = /(?:^|[._\-[])(?:user[-_]?agent|ua)\]?$/i;
const product =
  /\b(?:sqlmap|nikto|nmap scripting engine|acunetix|nessus|wpscan|masscan|dirbuster|gobuster|feroxbuster|nuclei|openvas|w3af|havij|arachni|zmeu|jorgee|whatweb|commix|fuzz faster u fool|wfuzz|webinspect|netsparker|qualysguard|morfeus|joomscan|skipfish|xsser|dalfox|absinthe|bsqlbf|pangolin|grendel-scan|vega|zaproxy|zgrab|owasp zap|xsstrike|jaeles|dirsearch|l9explore|l9tcpid|tplmap|droopescan|cmsmap|fimap|golismero|pocsuite|sqlninja|nosqlmap)(?:\b|\/)/i;

/** `root@….oast.fun`: where a tester waits for the server to write or to come. */
function catcherIn(text: string): Match | undefined {
  for (const name of text.matchAll(hostEnd)) {
    if (catcherZones.includes((name[1] as string).toLowerCase())) return foundBy(name);
  }
  return undefined;
}

const hostEnd = /\.([a-z]{2,20}\.[a-z]{2,6})(?![\w-]|\.\w)/gi;
