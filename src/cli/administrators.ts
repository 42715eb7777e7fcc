import type { AdminStore } from '../access/admin-store.ts';
import { randomBase62 } from '../access/key-format.ts';
import { type Act, acts } from '../contract/acts.ts';
import { administratorChanges } from '../contract/admin.ts';
import { type Role, roles } from '../contract/roles.ts';
import {
  CommandError,
  type CommandInput,
  type CommandOption,
  type Terminal,
  UsageError,
} from './command.ts';
import { nameFrom } from './names.ts';
import type { NoteAct } from './stored.ts';

const generatedChars = 24;
const charsMin = 12;
const charsMax = 256;

/** How a command is given a password: never on the command line, which others can read. */
export const passwordOption: CommandOption = {
  name: 'password-stdin',
  help: 'read the password from standard input instead of making one',
};

/** What an administrator may do. */
export const roleOption: CommandOption = {
  name: 'role',
  value: '<role>',
  values: roles,
  help: 'viewer, editor or administrator [administrator]',
};

/** The role that was asked for. */
export function roleFrom(text = 'administrator'): Role {
  const role = roles.find((one) => one === text);
  if (role !== undefined) return role;
  throw new UsageError(`There is no role ${text}; there are: ${roles.join(', ')}.`);
}

/** The name of an administrator, as it is stored. */
export function administratorName(input: CommandInput): string {
  return nameFrom('<name>', input.positionals[0] ?? '');
}

/** Opens the administrators of a database that is there, and lets a command work with them. */
export async function withAdministrators<T>(
  { config }: Pick<CommandInput, 'config'>,
  work: (admins: AdminStore, note: NoteAct) => Promise<T>,
): Promise<T> {
  const { createSqlAdminStore } = await import('../access/sql-admin-store.ts');
  const { requireDatabase, withDatabase } = await import('./stored.ts');
  requireDatabase(config);
  return withDatabase(config, ({ database }, note) => work(createSqlAdminStore(database), note));
}

interface NewPassword {
  readonly admins: AdminStore;
  readonly name: string;
  readonly passwordHash: string;
}

/** Has a new password stored, notes it in the audit, and prints one that was made; gives the name. */
export async function givePassword(
  input: CommandInput,
  terminal: Terminal,
  store: (given: NewPassword) => Promise<Act>,
): Promise<string> {
  const { createPasswords } = await import('../access/password.ts');
  const { requireDatabase } = await import('./stored.ts');
  const name = administratorName(input);
  requireDatabase(input.config);
  const { password, isMade } = await newPassword(input, terminal);
  const passwordHash = await createPasswords().hash(password);
  await withAdministrators(input, async (admins, note) => {
    await note(await store({ admins, name, passwordHash }));
  });
  if (isMade) terminal.out(`${password}\n`);
  return name;
}

/** A password that is read, or a new one that has to be shown. */
async function newPassword(
  input: CommandInput,
  terminal: Terminal,
): Promise<{ readonly password: string; readonly isMade: boolean }> {
  if (!input.isOn(passwordOption.name)) {
    return { password: randomBase62(generatedChars), isMade: true };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.input) chunks.push(Buffer.from(chunk));
  // The line break of `echo` is no part of the password.
  const password = Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
  if (password.length >= charsMin && password.length <= charsMax) {
    return { password, isMade: false };
  }
  throw new UsageError(`The password must have ${charsMin} to ${charsMax} characters.`);
}

/** Changes an administrator, notes it in the audit, and gives the name. */
export async function changeAdministrator(
  input: CommandInput,
  wish: { readonly role?: Role; readonly disabled?: boolean },
): Promise<string> {
  const name = administratorName(input);
  await withAdministrators(input, async (admins, note) => {
    const outcome = await admins.changeUnlessLast(name, wish, Date.now());
    if (outcome.kind === 'unknown') throw new CommandError(await noAdministrator(admins, name));
    if (outcome.kind === 'is-last') {
      throw new CommandError(
        `${name} is the last one with the role administrator who can sign in. Give another person this role first.`,
      );
    }
    const changes = administratorChanges(outcome);
    if (changes.length === 0) return;
    await note(acts.administratorChanged(name, changes));
  });
  return name;
}

/** Takes something from an administrator, notes it in the audit, and gives the name. */
export async function takeFromAdministrator(
  input: CommandInput,
  given: {
    /** False if there was none. */
    readonly take: (admins: AdminStore, name: string) => Promise<boolean>;
    /** Named in the message where there was none. */
    readonly what: string;
    readonly act: (name: string) => Act;
  },
): Promise<string> {
  const { take, what, act } = given;
  const name = administratorName(input);
  await withAdministrators(input, async (admins, note) => {
    if (!(await take(admins, name))) {
      const isKnown = (await admins.find(name)) !== undefined;
      const none = `The administrator ${name} has no ${what}.`;
      throw new CommandError(isKnown ? none : await noAdministrator(admins, name));
    }
    await note(act(name));
  });
  return name;
}

/** Says that there is no administrator of a name, and which there are. */
export async function noAdministrator(store: AdminStore, name: string): Promise<string> {
  const names = (await store.list()).map((one) => one.name);
  const known = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`;
  return `There is no administrator ${name}; ${known}.`;
}
