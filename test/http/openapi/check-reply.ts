import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Body } from '../api/api-server.ts';

/** An answer, as far as the document speaks of it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
}

/** Headers of HTTP itself, of which a document need not speak. */
const ownOfHttp = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['uwebsockets', 'x-accel-buffering'],
]);

/** Checks answers against a document: all that it promises is there, and nothing else. */
export class ReplyChecker {
  readonly #document: Body;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Body) {
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true } });
    for (const format of ['date-time', 'origin', 'pointer-pattern', 'moment']) {
      this.#ajv.addFormat(format, true);
    }
  }

  /** Compiles a schema that may point into the document. */
  compile(schema: object): ValidateFunction {
    return this.#ajv.compile({ ...schema, components: this.#document.components });
  }

  /** Asserts that the reply is one that the document promises. */
  check(path: string, method: string, reply: Reply): void {
    const name = `${method} ${path} ${reply.status}`;
    const response = this.#document.paths[path][method.toLowerCase()].responses[reply.status];
    assert.ok(response, `${name} is not in the document: ${JSON.stringify(reply.body)}`);
    this.#checkHeaders(name, response, reply.headers);
    const type = (reply.headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (response.content === undefined) {
      assert.equal(reply.body, '', name);
      return;
    }
    assert.ok(type in response.content, `${name} has the type ${type}`);
    const key = `${path} ${method} ${reply.status}`;
    const isValid = this.#compiled.get(key) ?? this.compile(response.content[type].schema);
    this.#compiled.set(key, isValid);
    assert.ok(isValid(reply.body), `${name}: ${this.#ajv.errorsText(isValid.errors)}`);
  }

  #checkHeaders(name: string, response: Body, headers: Headers): void {
    for (const header of Object.keys(response.headers)) {
      const { required } = this.#document.components.headers[header];
      if (required) assert.ok(headers.has(header), `${name} comes without ${header}`);
    }
    for (const header of headers.keys()) {
      const isKnown = ownOfHttp.has(header) || header in response.headers;
      assert.ok(isKnown, `${name} has the header ${header}, of which the document does not speak`);
    }
  }
}
