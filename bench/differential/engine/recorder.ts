import type { Answer, Data, Outcome, Screener } from '../../../src/clients/outcome.ts';

const answer: Answer = { id: 'recorded', decision: 'allow', score: 0, findings: [] };

/** Stands in the place of Sallyport: keeps what it is given, and lets everything pass. */
export class Recorder implements Screener {
  readonly texts: string[] = [];

  screen(data: Data): Promise<Outcome> {
    this.texts.push(typeof data === 'string' ? data : JSON.stringify(data));
    return Promise.resolve({ kind: 'allowed', answer });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
