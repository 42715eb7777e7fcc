import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import express, { type Request } from 'express';
import multer from 'multer';

/** An application that reads requests as many do, and answers with the strings that it read. */
export interface ReadingApp {
  readonly address: string;
  /** All strings that were read since the last call. */
  take(): string[];
}

const jsonString = /"(?:[^"\\]|\\.)*"/g;

export async function startReadingApp(t: TestContext): Promise<ReadingApp> {
  const read: string[] = [];
  const app = express();
  const answer = (strings: (req: Request) => readonly unknown[]): express.RequestHandler => {
    return (req, res) => {
      const found = strings(req).map(String);
      read.push(...found);
      res.json(found);
    };
  };
  // As `${req.query.id}` has it: the values of a repeated name, joined by commas.
  app.get(
    '/query',
    answer(({ query }) => Object.values(query)),
  );
  app.get(
    '/headers',
    answer(({ headers }) => Object.values(headers)),
  );
  // JSON whatever the type, charset and coding say, read string by string as it comes.
  app.post(
    '/json',
    async (req, _res, next) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      req.body = Buffer.concat(chunks).toString('utf8');
      next();
    },
    answer(
      ({ body }) =>
        String(body)
          .match(jsonString)
          ?.map((one) => JSON.parse(one)) ?? [],
    ),
  );
  app.post(
    '/upload',
    multer({ limits: { fileSize: 8_000_000 } }).any(),
    answer(({ body }) => Object.values(body)),
  );
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, take: () => read.splice(0) };
}
