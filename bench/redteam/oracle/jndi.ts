import type { Context, Effect, Oracle } from '../contract.ts';
import { resolveLookups } from './jndi-lookups.ts';
import { oneField } from './line-oracle.ts';

interface Message extends Context {
  write(value: string): string;
}

const message = (context: Context, write: (value: string) => string): Message => ({
  ...context,
  write,
});

const messages: readonly Message[] = [
  message(oneField('whole message', 'headers.user-agent', 'curl/8.5'), (v) => v),
  message(oneField('in a message', 'query.q', 'tea'), (v) => `Search for ${v} by alice`),
  message(oneField('in brackets', 'body.user', 'alice'), (v) => `log-in failed {user=${v}}`),
  message(oneField('behind a dollar sign', 'body.amount', '12.50'), (v) => `paid $${v} by card`),
  message(oneField('key of a lookup', 'body.user', 'alice'), (v) => `login of \${ctx:${v}} failed`),
  message(oneField('default of a lookup', 'body.user', 'alice'), (v) => `user \${ctx:user:-${v}}`),
  message(oneField('lower case', 'headers.referer', '/basket'), (v) => `from ${v.toLowerCase()}`),
  message(oneField('upper case', 'body.code', 'sale-10'), (v) => `code ${v.toUpperCase()}`),
  message(oneField('cut', 'headers.x-request-id', 'r-17'), (v) => `request ${v.slice(0, 64)}`),
  message(oneField('decoded', 'query.next', '%2Fbasket'), (v) => `next ${decodeURIComponent(v)}`),
];

/** Schemes for which the classes of Java open a connection. */
const remote =
  /^(?:ldaps?|rmi|dns|iiop(?:name)?|corbaname|corbaloc):(?:\/\/|iiop:|::|rmi:)?[^/\s?#]/;

/** Lookups in messages of Log4j: JNDI is asked for a name on a host. */
export const jndi: Oracle = {
  name: 'Log4j lookups',
  category: 'jndi',
  language: 'jndi',
  tools: [],
  contexts: messages,
  async start() {
    return {
      async judge({ name }, [value = '']): Promise<Effect> {
        const one = messages.find((message) => message.name === name);
        let isReached = false;
        try {
          resolveLookups(one?.write(value) ?? '', (asked) => {
            isReached ||= remote.test(asked);
          });
        } catch {
          return isReached ? 'effective' : 'error';
        }
        return isReached ? 'effective' : 'inert';
      },
      async close() {},
    };
  },
};
