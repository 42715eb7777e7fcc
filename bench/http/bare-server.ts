import { loadUws } from '../../src/http/uws.ts';

// What any service on uWebSockets.js and Node must at least do for such a request: read the body,
// parse the JSON, answer. A process of its own; the other end of the ratio screened/bare.

const uws = loadUws();
const answer =
  '{"id":"01890a5d-ac96-774b-bcce-b302099a8057","decision":"allow","score":0,"findings":[],' +
  '"coverage":{"complete":true,"bytes":70,"reasons":[]}}';

const app = uws.App();
app.post('/control', (res) => {
  const pieces: Buffer[] = [];
  res.onAborted(() => undefined);
  res.onData((chunk, isLast) => {
    if (!isLast || pieces.length > 0) pieces.push(Buffer.from(chunk.slice(0)));
    if (!isLast) return;
    const body = pieces.length === 0 ? Buffer.from(chunk) : Buffer.concat(pieces);
    const value: unknown = JSON.parse(body.toString('utf8'));
    res.cork(() => {
      if (typeof value !== 'object') res.writeStatus('422 Unprocessable Content');
      res.writeHeader('content-type', 'application/json');
      res.end(answer);
    });
  });
});
app.listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
  if (socket === false) throw new Error('The bare server cannot listen.');
  console.log(`http://127.0.0.1:${uws.us_socket_local_port(socket)}`);
});
