import type { Engine } from './route.ts';

const shop = 'http://shop.test';

/** Sends browsers to a path of the shop, or so it seems: `//host` is a path here and a host there. */
export const redirects: Engine = {
  name: 'redirects',
  category: 'ssrf',
  tools: [],
  contexts: [{ name: 'path of the shop', members: ['query.next'], benign: ['/products'] }],
  start: async () => ({
    reply: async (_context, [next = '']) => {
      const location = next.startsWith('/') || /^https?:/i.test(next) ? next : '/';
      // The URL standard is what browsers go by.
      const target = URL.parse(location, shop);
      if (target === null) return { effect: 'error', text: 'No such page', hasFailed: true };
      return { effect: target.origin === shop ? 'inert' : 'effective', text: '', location };
    },
    close: async () => undefined,
  }),
};
