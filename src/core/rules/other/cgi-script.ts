import { confidence } from '../../placement/confidence.ts';
import { foundByFirst } from '../../placement/evidence.ts';
import type { ValueRule } from '../rule.ts';

/** A script that answers HTTP and runs what the request says: the content of an uploaded shell. */
export const cgiScript: ValueRule = {
  id: 'other.cgi-script',
  cwe: 'CWE-434',
  severity: 'critical',
  score: confidence.strong,
  message: 'is a program that runs as a command whatever a request to it says',
  trigger: {
    literals: [['#!'], ['query_string', 'cgi', 'param(', 'http_', 'content-type:', 'request_uri']],
  },
  judge: (subject) => {
    const text = subject.text.slice(0, textCharsMax);
    return interpreter.test(text) ? foundByFirst(text, calls) : undefined;
  },
  examples: [
    '#!/usr/bin/perl\nuse CGI;print "Content-type: text/plain\\n\\n";print `$ENV{QUERY_STRING}`;',
    '#!/bin/sh\necho "Content-type: text/plain"\necho\neval "$QUERY_STRING"',
    'GIF89a;#!/bin/sh\necho\neval $QUERY_STRING',
    '#!/bin/bash\necho "Content-Type: text/html"\necho\n$QUERY_STRING',
    '#!/usr/bin/env python3\nimport cgi,os\nprint("Content-type: text/html\\n")\nos.system(cgi.FieldStorage().getvalue("c"))',
  ],
  lookalikes: [
    '#!/usr/bin/perl\nuse CGI;\nmy $q = CGI->new;\nprint $q->header, $q->param("name");',
    '#!/bin/sh\necho "Content-type: text/plain"\necho\ndate',
    'the variable QUERY_STRING in a #!/bin/sh script',
  ],
};

const textCharsMax = 4_000;
const interpreter = /^\s{0,4}(?:GIF8\d\w?;?\s{0,4})?#!\s{0,2}[\w/]{1,40}/;
const calls: readonly RegExp[] = [
  /\n[ \t]{0,8}\$\{?(?:QUERY_STRING|HTTP_[A-Z_]{1,30})\}?[ \t]{0,8}(?:\n|$)/,
  /`[^`\n]{0,80}\$(?:ENV\{["']?(?:QUERY_STRING|HTTP_\w{1,30}|REQUEST_URI)|QUERY_STRING|HTTP_[A-Z]|\{?\w{0,10}->param)/,
  /\b(?:eval|exec|system|qx|popen|sh -c|bash -c)\b[^\n]{0,80}(?:\$\{?QUERY_STRING|\$ENV\{["']?QUERY_STRING|\$\{?HTTP_[A-Z]|\bparam\(|FieldStorage|getvalue\()/,
];
