import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { rowsMax } from './judge.ts';

/** A command of the client/server protocol, with what follows its first byte. */
export type Command = readonly [code: number, body: string | Buffer];

export const commands = {
  database: (name: string): Command => [0x02, name],
  query: (text: string): Command => [0x03, text],
  /** Variables, locks, temporary tables: the session as it began. */
  reset: [0x1f, ''] as Command,
  /** Whether a text may hold several statements. */
  several: (isOn: boolean): Command => [0x1b, Buffer.from([isOn ? 0 : 1, 0])],
} as const;

/** What a command brought: rows of all its statements, or the first error. */
export interface Answer {
  readonly rows: string[][];
  error?: string;
}

const moreResults = 0x08;
const longPassword = 0x01;
const protocol41 = 0x02_00;
const secureConnection = 0x80_00;
const multiStatements = 0x01_00_00;
const multiResults = 0x02_00_00;
const pluginAuth = 0x08_00_00;
const utf8mb4 = 45;

/**
 * The few parts of the client/server protocol of MariaDB that an oracle needs: an account without a
 * password on a local socket, and commands sent in one go, whose answers come in the same order.
 * https://mariadb.com/docs/server/reference/clientserver-protocol
 */
export class MariadbConnection {
  readonly #socket: Socket;
  #buffered = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  /** Answers come in the order of commands: one list at a time. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
      this.#wake?.();
    });
    const fail = (error?: Error) => {
      this.#failure ??= error ?? new Error('MariaDB closed the connection.');
      this.#wake?.();
    };
    socket.on('error', fail);
    socket.on('close', () => fail());
  }

  static async open(path: string, user: string): Promise<MariadbConnection> {
    const socket = createConnection(path);
    await once(socket, 'connect');
    const connection = new MariadbConnection(socket);
    await connection.#readPacket();
    const flags =
      longPassword | protocol41 | secureConnection | multiStatements | multiResults | pluginAuth;
    const head = Buffer.alloc(32);
    head.writeUInt32LE(flags, 0);
    head.writeUInt32LE(0x01_00_00_00, 4);
    head[8] = utf8mb4;
    connection.#send(Buffer.concat([head, Buffer.from(`${user}\0\0mysql_native_password\0`)]), 1);
    const answer = await connection.#readPacket();
    if (answer[0] !== 0x00) throw new Error(`MariaDB refuses ${user}: ${errorOf(answer).error}`);
    return connection;
  }

  /** Sends all commands at once. An error of one does not keep the others from running. */
  run(list: readonly Command[]): Promise<Answer[]> {
    const answers = this.#last.then(() => this.#runNow(list));
    this.#last = answers.catch(() => undefined);
    return answers;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #runNow(list: readonly Command[]): Promise<Answer[]> {
    for (const [code, body] of list) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      this.#send(Buffer.concat([Buffer.from([code]), bytes]), 0);
    }
    const answers: Answer[] = [];
    for (const _ of list) answers.push(await this.#readAnswer());
    return answers;
  }

  #send(payload: Buffer, sequence: number): void {
    const head = Buffer.alloc(4);
    head.writeUIntLE(payload.length, 0, 3);
    head[3] = sequence;
    this.#socket.write(Buffer.concat([head, payload]));
  }

  async #readPacket(): Promise<Buffer> {
    for (;;) {
      if (this.#buffered.length >= 4) {
        const end = 4 + this.#buffered.readUIntLE(0, 3);
        if (this.#buffered.length >= end) {
          const packet = this.#buffered.subarray(4, end);
          this.#buffered = this.#buffered.subarray(end);
          return packet;
        }
      }
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #readAnswer(): Promise<Answer> {
    const answer: Answer = { rows: [] };
    for (;;) {
      const status = await this.#readResult(answer);
      if ((status & moreResults) === 0) return answer;
    }
  }

  /** The result of one statement; its status says whether another one follows. */
  async #readResult(answer: Answer): Promise<number> {
    const first = await this.#readPacket();
    if (first[0] === 0xff) {
      Object.assign(answer, errorOf(first));
      return 0;
    }
    if (first[0] === 0x00) {
      const [, afterRows] = lengthAt(first, 1);
      const [, afterId] = lengthAt(first, afterRows);
      return first.readUInt16LE(afterId);
    }
    if (isEnd(first)) return 0;
    const [columns] = lengthAt(first, 0);
    for (let i = 0; i <= columns; i += 1) await this.#readPacket();
    for (;;) {
      const packet = await this.#readPacket();
      if (packet[0] === 0xff) {
        Object.assign(answer, errorOf(packet));
        return 0;
      }
      if (isEnd(packet)) return packet.readUInt16LE(3);
      if (answer.rows.length < rowsMax) answer.rows.push(rowOf(packet, columns));
    }
  }
}

function isEnd(packet: Buffer): boolean {
  return packet[0] === 0xfe && packet.length < 9;
}

function errorOf(packet: Buffer): { readonly error: string } {
  return { error: packet.subarray(9).toString() };
}

/** A length-encoded number, and the place behind it. */
function lengthAt(packet: Buffer, at: number): readonly [number, number] {
  const first = packet[at] ?? 0;
  if (first < 0xfb) return [first, at + 1];
  if (first === 0xfc) return [packet.readUInt16LE(at + 1), at + 3];
  if (first === 0xfd) return [packet.readUIntLE(at + 1, 3), at + 4];
  return [Number(packet.readBigUInt64LE(at + 1)), at + 9];
}

function rowOf(packet: Buffer, columns: number): string[] {
  const row: string[] = [];
  for (let i = 0, at = 0; i < columns; i += 1) {
    if (packet[at] === 0xfb) {
      row.push('null');
      at += 1;
      continue;
    }
    const [length, start] = lengthAt(packet, at);
    row.push(packet.toString('utf8', start, start + length));
    at = start + length;
  }
  return row;
}
