import type { Express } from 'express';
import { cookiesOf, textOf } from './request-texts.ts';
import type { Warehouse } from './warehouse.ts';

// DELIBERATELY VULNERABLE: statements made of texts, and a form that anybody may submit.

/** SQL injection in forms and JSON, and cross-site request forgery. */
export function addFormRoutes(app: Express, warehouse: Warehouse): void {
  app.post('/login', (req, res) => {
    const [name, password] = [textOf(req.body?.name), textOf(req.body?.password)];
    const [user] = warehouse.rows(
      `SELECT name FROM users WHERE name = '${name}' AND password = '${password}'`,
    );
    if (user === undefined) res.status(401).type('text').send('Wrong name or password');
    else res.cookie('user', user['name']).type('text').send(`Welcome, ${user['name']}`);
  });

  app.post('/api/filter', (req, res) => {
    const { name, maxPrice } = req.body?.filter ?? {};
    const text = `SELECT name, price FROM products
      WHERE name LIKE '${textOf(name)}%' AND price <= ${textOf(maxPrice)}`;
    res.json(warehouse.rows(text));
  });

  app.post('/newsletter', (req, res) => {
    warehouse.script(`INSERT INTO subscribers (mail) VALUES ('${textOf(req.body?.mail)}')`);
    const [row] = warehouse.rows('SELECT mail FROM subscribers ORDER BY rowid DESC LIMIT 1');
    res.type('text').send(`We shall write to ${row?.['mail']}`);
  });

  // Trusts the cookie, whichever site the form stands on.
  app.post('/mail', (req, res) => {
    const user = cookiesOf(req)['user'] ?? '';
    warehouse.rows('UPDATE users SET mail = ? WHERE name = ?', textOf(req.body?.mail), user);
    res.redirect(303, '/mail');
  });

  app.get('/mail', (req, res) => {
    const [row] = warehouse.rows(
      'SELECT mail FROM users WHERE name = ?',
      cookiesOf(req)['user'] ?? '',
    );
    res.type('text').send(String(row?.['mail'] ?? 'nobody'));
  });
}
