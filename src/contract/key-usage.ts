/** How much a key was used within an hour, or several. */
export interface KeyUsageBucket {
  /** Milliseconds since 1970, UTC: the start. */
  readonly from: number;
  readonly requests: number;
  readonly blocks: number;
  readonly wouldBlocks: number;
  /** Requests that were answered with an error instead of a decision. */
  readonly errors: number;
}

/** Tells how much keys are used. */
export interface KeyUsage {
  /** Stores what this process has counted, and from where: what is read next shows it. */
  flush(): Promise<void>;
  /** Hours with any use, oldest first; `from` and `to` in milliseconds since 1970. */
  hours(
    keyId: string,
    span: { readonly from: number; readonly to: number },
  ): Promise<readonly KeyUsageBucket[]>;
}
