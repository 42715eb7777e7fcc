/** Notifies at once of what other nodes changed; followers also ask now and then. */
export interface ChangeFeed {
  /** Whether changes are notified. If not, only asking helps. */
  isLive(): boolean;
  /** `topic` is the name of a counter; undefined when anything may have changed. */
  onChange(listener: (topic: string | undefined) => void): void;
  close(): Promise<void>;
}

/** The feed of a database that tells nothing. */
export const noFeed: ChangeFeed = Object.freeze({
  isLive: () => false,
  onChange: () => undefined,
  close: () => Promise.resolve(),
});
