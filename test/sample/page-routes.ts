import { runInNewContext } from 'node:vm';
import type { Express } from 'express';
import { homePage } from './home-page.ts';
import { textOf } from './request-texts.ts';
import type { Warehouse } from './warehouse.ts';

// DELIBERATELY VULNERABLE: texts of the request stand in pages as they came.

/** Cross-site scripting in three places of a page and from the database, and a template. */
export function addPageRoutes(app: Express, warehouse: Warehouse): void {
  app.get('/', (_req, res) => {
    res.send(homePage);
  });

  app.get('/search', (req, res) => {
    const q = textOf(req.query['q']);
    const rows = warehouse.rows(`SELECT name FROM products WHERE name LIKE '%${q}%'`);
    const items = rows.map(({ name }) => `<li>${name}</li>`).join('');
    res.send(page(`<p>Results for ${q}</p><input value="${q}"><ul>${items}</ul>`));
  });

  app.get('/voucher', (req, res) => {
    const code = textOf(req.query['code']);
    res.send(page(`<script>const voucher = '${code}'; document.title = voucher;</script>`));
  });

  // The database is asked properly here: the mistake is that the answer is trusted.
  app.post('/comments', (req, res) => {
    const [author, text] = [textOf(req.body?.author), textOf(req.body?.text)];
    warehouse.rows('INSERT INTO comments (author, text) VALUES (?, ?)', author, text);
    res.redirect(303, '/comments');
  });

  app.get('/comments', (req, res) => {
    const by = `%${textOf(req.query['by'])}%`;
    const rows = warehouse.rows('SELECT author, text FROM comments WHERE author LIKE ?', by);
    const items = rows.map(({ author, text }) => `<li><b>${author}</b>: ${text}</li>`).join('');
    res.send(page(`<ul>${items}</ul>`));
  });

  app.get('/card', (req, res) => {
    const text = textOf(req.query['text']);
    res.type('text').send(rendered(text, { shop: 'The Corner Shop' }));
  });
}

function page(content: string): string {
  return `<!doctype html><title>The Corner Shop</title>${content}`;
}

/** A template engine as many are: what stands in braces is JavaScript. */
function rendered(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{\{(.+?)\}\}/g, (_, code: string) =>
    String(runInNewContext(code, { ...values }, { timeout: 100 })),
  );
}
