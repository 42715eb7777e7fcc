import { shapeDriftKinds } from '../../learnt-shape.ts';
import { defaultPolicy } from '../../policy.ts';
import { policySchema } from '../policy.ts';
import { category, closed, count, flag, listOf, moment, ref, type Schema, text } from './build.ts';

const policyVersion = { version: count, hash: text, at: moment, by: text, comment: text };

const shadowExample = closed(
  { at: moment, evidence: text },
  { method: text, path: text, client: text },
);

const shadowPlace = closed(
  { pointer: text, category, rule: text, count, examples: listOf(shadowExample) },
  { lastEventId: text },
);

const { $id: _id, title: _title, ...policyDocument } = policySchema;

/** Schemas of policies, of what they declare and learn, and of their candidates. */
export const policyComponents: Readonly<Record<string, Schema>> = {
  PolicyDocument: policyDocument,
  StoredPolicyDocument: {
    ...policyDocument,
    description: 'A policy document with its defaults filled in.',
    required: Object.keys(defaultPolicy),
  },
  Shape: policyDocument.properties.shape,
  DeclaredShape: closed({
    version: count,
    shape: ref('Shape'),
    notes: listOf(closed({ pointer: text, message: text })),
  }),
  LearntShape: closed(
    {
      learning: flag,
      requests: count,
      leftOut: count,
      routes: count,
      bytes: count,
      evidence: listOf(
        closed({
          method: text,
          path: text,
          field: text,
          constraint: text,
          evidence: text,
          count,
          isClosed: flag,
        }),
      ),
      effect: closed({
        refusedRequests: count,
        values: count,
        sparedValues: count,
        events: closed({
          seen: count,
          isComplete: flag,
          spared: count,
          falsePositives: count,
          sparedFalsePositives: count,
          sparedTruePositives: count,
        }),
      }),
      drift: listOf(
        closed({
          kind: { enum: shapeDriftKinds },
          method: text,
          path: text,
          field: text,
          message: text,
          count,
          first: moment,
          last: moment,
        }),
      ),
    },
    { first: moment, last: moment, proposal: ref('Shape') },
  ),
  PolicyRow: closed({
    id: text,
    name: text,
    version: count,
    hash: text,
    updatedAt: moment,
    updatedBy: text,
    keys: count,
    hasCandidate: flag,
    mode: policyDocument.properties.mode,
    sensitivity: policyDocument.properties.sensitivity,
  }),
  Policy: closed(
    {
      id: text,
      name: text,
      version: count,
      hash: text,
      document: ref('StoredPolicyDocument'),
      updatedAt: moment,
      updatedBy: text,
      comment: text,
      keys: listOf(closed({ id: text, name: text })),
    },
    { candidate: ref('Candidate') },
  ),
  Candidate: closed({ document: ref('StoredPolicyDocument'), since: moment }),
  CandidateReport: closed({
    document: ref('StoredPolicyDocument'),
    since: moment,
    screened: count,
    dropped: count,
    newlyBlocked: listOf(shadowPlace),
    newlyFreed: listOf(shadowPlace),
  }),
  PolicyVersionRow: closed(policyVersion),
  PolicyVersion: closed({ ...policyVersion, document: ref('StoredPolicyDocument') }),
};
