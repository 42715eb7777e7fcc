import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { type GuardOptions, sallyport } from '../../src/clients/express.ts';
import { addFormRoutes } from './form-routes.ts';
import { addPageRoutes } from './page-routes.ts';
import { addQueryRoutes } from './query-routes.ts';
import { addSystemRoutes } from './system-routes.ts';
import { openWarehouse, type StatementListener } from './warehouse.ts';

// DELIBERATELY VULNERABLE: see README.md in this folder. Never put any of this into an application.

export interface ShopOptions {
  /** With it the shop is protected: the one line below. */
  readonly guard?: GuardOptions;
  /** Told of each SQL statement that the shop runs. */
  readonly onStatement?: StatementListener;
}

/** A small shop with the mistakes that real ones have. */
export function createShop({ guard, onStatement }: ShopOptions = {}): Express {
  const app = express();
  app.set('etag', false);
  app.use(express.json(), express.urlencoded());
  if (guard !== undefined) app.use(sallyport(guard));
  const warehouse = openWarehouse(onStatement);
  addQueryRoutes(app, warehouse);
  addFormRoutes(app, warehouse);
  addPageRoutes(app, warehouse);
  addSystemRoutes(app);
  app.use(showErrors);
  return app;
}

/** Tells everybody what the database said: the mistake that makes all others easy to find. */
const showErrors: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
  res
    .status(500)
    .type('text')
    .send(`Error: ${error instanceof Error ? error.message : String(error)}`);
};

/** Serves the shop to this machine only; 0 takes a free port. */
export function listenOnLoopback(app: Express, port: number): Promise<[Server, string]> {
  return new Promise((resolve, reject) => {
    const server = app.listen(port, '127.0.0.1', (error) => {
      if (error) return reject(error);
      const { port: taken } = server.address() as AddressInfo;
      resolve([server, `http://127.0.0.1:${taken}`]);
    });
  });
}
