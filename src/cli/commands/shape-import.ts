import { type Command, CommandError } from '../command.ts';
import { policyOption, readingOptions } from '../shape-options.ts';

export const shapeImport: Command = {
  name: 'shape import',
  summary: 'Declare what may come in: from an OpenAPI document or a JSON Schema.',
  alsoCalled: ['shape add', 'shape set', 'shape apply'],
  operands: '<file|->',
  operandsMin: 1,
  operandsMax: 1,
  operandValues: 'files',
  options: [
    policyOption,
    ...readingOptions,
    { name: 'candidate', help: 'try it in the background first, as the candidate of the policy' },
    { name: 'comment', value: '<text>', help: 'why; stands in the version history' },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: `OpenAPI 3.0 and 3.1, JSON or YAML, references within the document. The shape becomes part of
the policy, as a new version; a running server takes it within a second. Exit code 2: the
document is wrong, and each fault is listed with its place.`,
  async run(input, terminal) {
    const { notesText, readShapeFile, shapeText } = await import('../shape-file.ts');
    const { changeShape } = await import('../shape-store.ts');
    const { shape, notes } = await readShapeFile(input, terminal);
    const comment = input.text('comment') ?? `Declared the shape of ${shape.title ?? 'requests'}`;
    const target = input.isOn('candidate') ? 'candidate' : 'policy';
    const policy = await changeShape(input, { shape, comment, target });
    if (policy === undefined)
      throw new CommandError('The policy was changed meanwhile; try again.');
    terminal.out(shapeText(shape));
    terminal.err(notesText(notes));
    const place = target === 'candidate' ? 'The candidate' : `Version ${policy.version}`;
    terminal.err(`${place} of ${policy.name} declares this shape.\n`);
    return 0;
  },
};
