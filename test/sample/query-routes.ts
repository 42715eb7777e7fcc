import type { Express } from 'express';
import { cookiesOf, textOf } from './request-texts.ts';
import type { Warehouse } from './warehouse.ts';

// DELIBERATELY VULNERABLE: every route puts a text of the request into a statement.

/** SQL injection in what a request asks for: path, query, cookie and header. */
export function addQueryRoutes(app: Express, warehouse: Warehouse): void {
  app.get('/products', (req, res) => {
    const category = textOf(req.query['category']);
    res.json(warehouse.rows(`SELECT id, name FROM products WHERE category = ${category}`));
  });

  app.get('/products/:id', (req, res) => {
    res.json(warehouse.rows(`SELECT name, price FROM products WHERE id = ${req.params.id}`));
  });

  app.get('/catalogue', (req, res) => {
    const sort = textOf(req.query['sort']);
    res.json(warehouse.rows(`SELECT name, price FROM products ORDER BY ${sort}`));
  });

  app.get('/basket', (req, res) => {
    const id = cookiesOf(req)['basket'] ?? '0';
    res.json(warehouse.rows(`SELECT product FROM baskets WHERE id = ${id}`));
  });

  app.get('/welcome', (req, res) => {
    const site = req.headers.referer ?? '';
    res.json(warehouse.rows(`SELECT greeting FROM partners WHERE '${site}' LIKE site || '%'`));
  });

  app.get('/parcel', (req, res) => {
    const token = Buffer.from(textOf(req.query['token']), 'base64').toString();
    res.json(warehouse.rows(`SELECT state FROM parcels WHERE token = '${token}'`));
  });
}
