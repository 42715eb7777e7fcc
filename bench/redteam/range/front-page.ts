import type { Route } from './route.ts';

/** A link or a form for each route, so that tools find them. */
export function frontPage(routes: readonly Route[]): string {
  const items = routes.map((route) => `<li>${linkOf(route)}</li>`);
  return `<!doctype html><title>The range</title><ul>\n${items.join('\n')}\n</ul>`;
}

function linkOf({ path, at, fields, context, isStored }: Route): string {
  const inputs = fields.map(
    (field, i) => `<input name="${field}" value="${context.benign[i] ?? ''}">`,
  );
  const stored = isStored ? ` <a href="${path}">what others wrote</a>` : '';
  if (at === 'query') return `<form action="${path}">${inputs.join('')}<button>Go</button></form>`;
  if (at === 'form') {
    return `<form action="${path}" method="post">${inputs.join('')}<button>Go</button></form>${stored}`;
  }
  if (at === 'path') return `<a href="${path}/${context.benign[0] ?? ''}">${context.name}</a>`;
  return `<a href="${path}">${context.name}</a>`;
}
