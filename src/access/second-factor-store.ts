/** Where second factors and recovery codes are kept, by the name of their administrator. */
export interface SecondFactorStore {
  findSecondFactor(name: string): Promise<
    | {
        /** The secret, sealed. */
        readonly sealed: string;
        /** False while it was not tried yet. */
        readonly isOn: boolean;
        readonly createdAt: number;
        /** How many are left. */
        readonly recoveryCodes: number;
        /** When the first of the wrong codes was given that are counted now. */
        readonly wrongSince: number;
      }
    | undefined
  >;
  /** Replaces one that was not tried yet; false if there is one already. */
  beginSecondFactor(name: string, sealed: string, at: number): Promise<boolean>;
  /** Puts in force what was begun, and ends the other sessions. False if it was replaced or is on. */
  confirmSecondFactor(
    name: string,
    given: {
      readonly sealed: string;
      readonly step: number;
      readonly at: number;
      /** Of the recovery codes. */
      readonly digests: readonly string[];
      /** Digest of the session that stays. */
      readonly keepSession: string;
    },
  ): Promise<boolean>;
  /**
   * Counts a code as wrong. False, and nothing is counted, if `max` were wrong within the period:
   * over all nodes, however many come at once.
   */
  countCode(
    name: string,
    bound: { readonly now: number; readonly periodMs: number; readonly max: number },
  ): Promise<boolean>;
  /** Forgets the codes that were counted: one was right. */
  forgetCodes(name: string): Promise<void>;
  /** Marks the step of a code as used; false if it or a later one was. */
  useStep(name: string, sealed: string, step: number): Promise<boolean>;
  /** False if there is no such code, or none any more. */
  useRecoveryCode(name: string, digest: string): Promise<boolean>;
  /** False if there is no second factor. */
  replaceRecoveryCodes(name: string, digests: readonly string[]): Promise<boolean>;
  /** False if there was none. */
  removeSecondFactor(name: string): Promise<boolean>;
  /** Also removes the link to an account of the identity provider, and ends the sessions. */
  resetSecondFactor(name: string): Promise<boolean>;
}
