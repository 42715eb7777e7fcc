import assert from 'node:assert/strict';
import { it } from 'node:test';
import { plainTemplate } from '../../src/client-request/route-template.ts';

it('the templates of routers are written as those of OpenAPI', () => {
  const rows: readonly (readonly [template: string, path: string, plain: string | undefined])[] = [
    ['/', '/', '/'],
    ['/users/me', '/users/me', '/users/me'],
    ['/users/:id', '/users/7', '/users/{id}'],
    ['/users/{id}', '/users/7', '/users/{id}'],
    ['/users/:id(\\d+)', '/users/7', '/users/{id}'],
    ['/users/:id(a(b|c)\\)d)/x', '/users/ab)d/x', '/users/{id}/x'],
    ['/users/:id{[0-9]{2}}', '/users/17', '/users/{id}'],
    ['/users/{id:[0-9]{2}}', '/users/17', '/users/{id}'],
    ['/users/{id:int}', '/users/17', '/users/{id}'],
    ['/near/:lat-:long', '/near/1-2', '/near/{lat}-{long}'],
    ['/:file(^\\d+).png', '/1.png', '/{file}.png'],
    ['/users/:id?', '/users/7', '/users/{id}'],
    ['/users/:id?', '/users/', '/users'],
    ['/users/:id(\\d+)?', '/users', '/users'],
    ['/:id?', '/', '/'],
    ['/users{/:id}', '/users', '/users'],
    ['/users{/:id}', '/users/7', '/users/{id}'],
    ['/größe/:id', '/x/7', '/größe/{id}'],
    ...[
      ...['', '*', 'users/:id', '/*', '/files/*', '/files/*path', '/files/:path*', '/x/:path+'],
      ...['/:a?/:b', '/x-:a?', '/ab?c', '/(.*)', '/a(bc)?d', '/[id]', '/<int:id>', '/a b', '/%41'],
      ...[
        '/:id(',
        '/{id',
        '/{}',
        '/:',
        '/a{/:b}/c',
        "/'",
        '/a\\b',
        '/a::b',
        `/${'a'.repeat(2_000)}`,
      ],
    ].map((template) => [template, '/x', undefined] as const),
  ];
  for (const [template, path, plain] of rows) {
    assert.equal(plainTemplate(template, path), plain, template);
    if (plain !== undefined) assert.equal(plainTemplate(plain, path), plain);
  }
});
