import { type Command, CommandError, UsageError } from '../command.ts';
import { policyOption } from '../shape-options.ts';

export const shapeLearnt: Command = {
  name: 'shape learnt',
  summary: 'Print the shape that was learnt from traffic, with the evidence for it.',
  alsoCalled: ['shape proposal', 'shape learned'],
  options: [
    policyOption,
    {
      name: 'format',
      value: '<text|openapi|shape>',
      help: 'an OpenAPI 3.1 document or a shape, to be imported; text when left out',
      values: ['text', 'openapi', 'shape'],
    },
  ],
  settings: ['dataDir', 'databaseUrl', 'config'],
  notes: 'A running server saves what it has learnt every 30 seconds, and when it ends.',
  async run(input, terminal) {
    const format = input.text('format') ?? 'text';
    if (!['text', 'openapi', 'shape'].includes(format)) {
      throw new UsageError('--format must be text, openapi or shape.');
    }
    const { learntOf } = await import('../shape-store.ts');
    const { learntText, savedText } = await import('../learnt-text.ts');
    const { report, policy } = await learntOf(input);
    if (format === 'text') {
      terminal.out(learntText(report));
      return 0;
    }
    if (report.proposal === undefined) {
      const how =
        policy.document.learnShape === true
          ? `send more traffic. ${savedText}`
          : 'turn it on with: shape learn.';
      throw new CommandError(
        `Too little was learnt for a proposal (${report.requests} requests); ${how}`,
      );
    }
    const { writeOpenApi } = await import('../../shape/write-openapi.ts');
    const document = format === 'shape' ? report.proposal : writeOpenApi(report.proposal);
    terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    return 0;
  },
};
