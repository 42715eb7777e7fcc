import { crlf } from '../../bench/redteam/grammar/crlf.ts';
import { headers } from '../../bench/redteam/oracle/headers.ts';
import { httpServer } from '../../bench/redteam/oracle/http-server.ts';
import { crlfRewriters } from '../../bench/redteam/rewrite/crlf.ts';
import { testOracle, testRewriters } from './laws.ts';

const cookie = '\r\nSet-Cookie: session=1';
const split = '\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';

testOracle(headers, {
  Location: [[`/${cookie}`], [`/\r\n\r\n<script>alert(1)</script>`], [split]],
  'Location, path': [[`x${cookie}`], [`x\nSet-Cookie: a=b`]],
  'Set-Cookie': [[`en${cookie}`]],
  'Content-Disposition': [[`a"${cookie}`]],
  'name of a header': [[`a: 1${cookie}; x`]],
  reason: [[`x${cookie}`]],
  'Location, latin1': [['/\u560d\u560aSet-Cookie: a=b']],
  'header, latin1': [['1\u010d\u010aSet-Cookie: a=b']],
  'Location, decoded': [['/%0d%0aSet-Cookie:%20a=b']],
  'Set-Cookie, decoded': [['en%0aSet-Cookie:a=b']],
  'Location, decoded twice': [['/%250d%250aSet-Cookie:%20a=b']],
  'Location, decoded as bytes': [['/%0d%0aSet-Cookie:%20a=b']],
  'Location, decoded, latin1': [['/%E5%98%8D%E5%98%8ASet-Cookie:%20a=b']],
  'request, header': [['alice\r\nX-Role: admin'], ['a\r\n\r\nGET /admin HTTP/1.1\r\nHost: a']],
  'request, path': [['1 HTTP/1.1\r\nX-Role: admin\r\nX-A: ']],
  'request, path, decoded': [['1%20HTTP/1.1%0d%0aX-Role:%20admin%0d%0aX-A:%20']],
  'request, path, latin1': [['1 HTTP/1.1\u010d\u010aX-Role: admin\u010d\u010aX-A: ']],
});

testRewriters(
  headers,
  crlf,
  crlfRewriters.filter(({ name }) => name !== 'carriage return alone'),
);

testOracle(httpServer, {
  Location: [[`/${cookie}`], ['/\rSet-Cookie: session=1'], [split]],
  'Location, path': [[`x${cookie}`]],
  'Location, decoded': [['/%0D%0ASet-Cookie:%20a=b']],
  'Set-Cookie': [[`en${cookie}`]],
  'Content-Disposition': [[`a"${cookie}`]],
});

testRewriters(
  httpServer,
  crlf,
  crlfRewriters.filter(({ name }) => !/wide|twice/.test(name)),
);
