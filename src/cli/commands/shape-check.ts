import type { Command } from '../command.ts';
import { readingOptions } from '../shape-options.ts';

export const shapeCheck: Command = {
  name: 'shape check',
  summary: 'Read an OpenAPI document or a JSON Schema, and say what would be enforced.',
  alsoCalled: ['shape lint', 'shape validate'],
  operands: '<file|->',
  operandsMin: 1,
  operandsMax: 1,
  operandValues: 'files',
  options: readingOptions,
  settings: [],
  async run(input, terminal) {
    const { notesText, readShapeFile, shapeText } = await import('../shape-file.ts');
    const { shape, notes } = await readShapeFile(input, terminal);
    terminal.out(shapeText(shape));
    terminal.err(notesText(notes));
    return 0;
  },
};
