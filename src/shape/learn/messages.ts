import type { LearningBatch, RecentEvents } from '../../contract/learnt-shape.ts';
import type { Shape } from '../../contract/shape.ts';
import type { LessonBook } from './lesson-book.ts';
import { reportOn } from './report.ts';
import type { EventCore } from './spared-events.ts';

/** What the thread that learns is asked; each message has one answer, in order. */
export type LearningMessage =
  | { readonly kind: 'learn'; readonly batch: LearningBatch }
  | { readonly kind: 'declare'; readonly policyId: string; readonly shape: Shape | undefined }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'save'; readonly policyId: string; readonly stored: string | undefined }
  | { readonly kind: 'saved' | 'reset'; readonly policyId: string }
  | {
      readonly kind: 'report';
      readonly stored: string | undefined;
      readonly declared: Shape | undefined;
      readonly events: RecentEvents;
    };

/** Does what a message asks for. */
export function answerLearning(
  book: LessonBook,
  message: LearningMessage,
  core: EventCore,
): unknown {
  switch (message.kind) {
    case 'learn': {
      const startedAt = performance.now();
      book.learn(message.batch);
      return performance.now() - startedAt;
    }
    case 'declare':
      return book.declare(message.policyId, message.shape);
    case 'unsaved':
      return book.unsaved();
    case 'save':
      return book.save(message.policyId, message.stored);
    case 'saved':
      return book.saved(message.policyId);
    case 'reset':
      return book.reset(message.policyId);
    case 'report':
      return reportOn(message.stored, message.declared, { recent: message.events, core });
  }
}
