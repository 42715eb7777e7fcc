import type { Context, Oracle } from '../contract.ts';
import { lineOracle, oneField, runs } from './line-oracle.ts';

const path: Omit<Context, 'name'> = {
  members: ['body.path', 'body.value'],
  benign: ['settings.theme', 'dark'],
};
const settings = '{"settings":{"theme":"dark"},"items":[1,2]}';

const contexts: readonly Context[] = [
  oneField('merge, JSON text', 'body.settings', settings),
  oneField('merge, list of JSON', 'body.settings', `[${settings}]`),
  oneField('merge, JSON by concatenation', 'body.name', 'alice'),
  oneField('merge, JSON', 'body.theme', 'dark'),
  oneField('merge, name removed', 'body.settings', settings),
  oneField('assign, gate', 'body.user', '{"name":"alice"}'),
  oneField('clone, gate', 'body.user', '{"name":"alice"}'),
  oneField('unflatten, JSON text', 'body.settings', '{"settings.theme":"dark"}'),
  { name: 'set by path', ...path },
  { name: 'set by path, brackets', ...path },
  { ...path, name: 'set by path, a step before', benign: ['theme', 'dark'] },
  { name: 'set by path, name refused', ...path },
  oneField('query string', 'body.state', 'settings[theme]=dark&page=2'),
  oneField('form', 'body.theme', 'dark'),
];

/** Functions that merge and set: what each object inherits is changed, or a gate opens. */
export const pollution: Oracle = lineOracle({
  name: 'merge functions',
  category: 'protopollution',
  language: 'pollution',
  tools: [],
  contexts,
  ...runs.node('pollution.ts'),
});
