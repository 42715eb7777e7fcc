import type { Category } from './category.ts';

/**
 * A block as it is written down where it was found, on the screening thread, so that a flood of
 * blocks costs the thread that answers little more than a flood of allows: only what the front end
 * alone knows, such as ids, is put in there.
 */
export interface WrittenBlock extends BlockTexts {
  /** Of the strongest finding; undefined for a request that was not screened completely. */
  readonly category: Category | undefined;
  /** No limit cut anything off. */
  readonly isComplete: boolean;
}

/** The texts of a block. All but the last are members of JSON objects, without the braces. */
export type BlockTexts = Readonly<Record<BlockText, string>>;

/** In the order in which a thread sends them. */
export const blockTexts = [
  /** The answer before its id, with the brace and the comma. */
  'answerHead',
  /** The answer after its id, without the brace. */
  'answerTail',
  /** Of the log line: what `event` holds beside the id. */
  'logEvent',
  /** What `http.request` holds beside the id. */
  'logRequest',
  /** What `sallyport` holds beside key and policy. */
  'logOwn',
  /** Members of the line itself: the rule, and the URL of the request. */
  'logRule',
  'logUrl',
  /** What the application server says of the client, as in `X-Forwarded-For`. */
  'forwardedFor',
] as const;

export type BlockText = (typeof blockTexts)[number];
