import { triageVerdicts } from '../../event.ts';
import { keyScopes } from '../../key-bounds.ts';
import { shapeDriftKinds } from '../../learnt-shape.ts';
import { coverageReasons } from '../../limits.ts';
import { channelKinds, mailSecurities, messageStates, thresholdFacts } from '../../notification.ts';
import { defaultPolicy } from '../../policy.ts';
import { policySchema } from '../policy.ts';
import {
  category,
  closed,
  count,
  flag,
  listOf,
  mapOf,
  moment,
  quantity,
  ref,
  type Schema,
  score,
  severity,
  span,
  text,
  where,
} from './build.ts';
import { peopleComponents } from './people-components.ts';

const decoded = listOf(text);
const any: Schema = {};

const latency = closed({ p50Ms: quantity, p95Ms: quantity, p99Ms: quantity });
const queue = closed({ requests: count, bytes: count });
const coverage = closed({
  complete: flag,
  bytes: count,
  reasons: listOf({ enum: coverageReasons }),
});

const finding = {
  category,
  rule: text,
  cwe: text,
  severity,
  pointer: text,
  where,
  decoded,
  span,
  evidence: text,
  score,
  message: text,
};

const triage = closed({
  verdict: { enum: triageVerdicts },
  note: text,
  owner: text,
  by: text,
  at: moment,
});

const summary = {
  required: {
    id: text,
    at: moment,
    decision: { enum: ['block', 'would-block'] },
    score,
    threshold: score,
    category,
    rule: text,
    pointer: text,
    keyId: text,
    keyName: text,
    policyId: text,
    evidence: text,
  },
  optional: {
    severity,
    method: text,
    host: text,
    path: text,
    client: text,
    country: text,
    triage,
  },
};

const verdict = {
  decision: { enum: ['allow', 'block'] },
  score,
  threshold: score,
  coverage: ref('Coverage'),
};

const policyVersion = { version: count, hash: text, at: moment, by: text, comment: text };

const shadowPlace = closed({ pointer: text, category, rule: text, count }, { lastEventId: text });

const { $id: _id, title: _title, ...policyDocument } = policySchema;

/** The shapes that more than one route speaks of. */
export const components: Readonly<Record<string, Schema>> = {
  Problem: {
    ...closed(
      { type: text, title: text, status: count, detail: text, id: text },
      { errors: listOf(closed({ pointer: text, message: text })) },
    ),
    description: 'An error, RFC 9457.',
  },
  Coverage: coverage,
  ...peopleComponents,
  Latency: latency,
  LiveSnapshot: closed({
    at: moment,
    requestsPerSecond: quantity,
    blockedPerSecond: quantity,
    latency: ref('Latency'),
    categories: mapOf(count),
    queue,
  }),
  Overview: closed({
    version: text,
    startedAt: moment,
    now: moment,
    ready: flag,
    readiness: closed({ keys: flag, workers: flag, database: flag, policy: flag }),
    workers: count,
    rates: closed({ requestsPerSecond: quantity, blockedPerSecond: quantity }),
    latency: ref('Latency'),
    decisions: closed({
      allow: count,
      block: count,
      wouldBlock: count,
      rejected: count,
      refused: count,
    }),
    categories: mapOf(count),
    queue,
    eventsDropped: count,
    threadsReplaced: count,
    series: closed({
      stepSeconds: count,
      from: moment,
      requests: listOf(count),
      blocked: listOf(count),
      p99Ms: listOf(quantity),
    }),
    badKeys: closed({ total: count }, { lastAt: moment, lastAddress: text }),
    unscreened: listOf(
      closed({
        keyId: text,
        keyName: text,
        passed: mapOf(count),
        inline: mapOf(count),
        lastAt: moment,
      }),
    ),
  }),
  Key: closed(
    {
      id: text,
      name: text,
      kind: { enum: ['live', 'admin'] },
      state: { enum: ['active', 'expired', 'revoked'] },
      createdAt: moment,
      policyId: text,
      policyName: text,
      prefix: text,
      scopes: listOf({ enum: keyScopes }),
      networks: listOf(text),
    },
    {
      expiresAt: moment,
      lastUsedAt: moment,
      lastClient: text,
      revokedAt: moment,
      rotation: closed({ sunsetAt: moment }),
    },
  ),
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
  AddressEntry: closed(
    {
      id: text,
      network: text,
      action: { enum: ['deny', 'allow'] },
      reason: text,
      author: text,
      createdAt: moment,
      isInForce: flag,
    },
    { policyId: text, expiresAt: moment },
  ),
  Channel: closed(
    {
      id: text,
      name: text,
      kind: { enum: channelKinds },
      isPaused: flag,
      hears: closed({
        policies: listOf(text),
        categories: listOf(category),
        severity,
        monitored: flag,
      }),
      digestMinutes: count,
      target: closed(
        {},
        {
          url: text,
          hasSecret: flag,
          host: text,
          port: count,
          security: { enum: mailSecurities },
          user: text,
          hasPassword: flag,
          from: text,
          to: listOf(text),
        },
      ),
      createdAt: moment,
      changedAt: moment,
      changedBy: text,
    },
    {
      threshold: closed({ count, minutes: count, per: { enum: thresholdFacts } }),
      quietHours: closed({ from: text, to: text, timeZone: text, exceptCritical: flag }),
    },
  ),
  TestOutcome: closed({ isDelivered: flag, answer: text, tookMs: count }),
  NotificationMessage: closed(
    {
      id: text,
      kind: { enum: ['alert', 'digest', 'held', 'test'] },
      title: text,
      events: count,
      state: { enum: messageStates },
      attempts: count,
      createdAt: moment,
      answer: text,
    },
    { nextAt: moment, settledAt: moment },
  ),
  PolicyVersionRow: closed(policyVersion),
  PolicyVersion: closed({ ...policyVersion, document: ref('StoredPolicyDocument') }),
  PolicyChange: closed(
    { op: { enum: ['add', 'remove', 'replace'] }, pointer: text },
    { from: any, to: any },
  ),
  Finding: closed(finding),
  FindingStep: closed({ decoder: text, text, start: count, truncated: flag }),
  EventFinding: closed(
    { ...finding, steps: listOf(ref('FindingStep')) },
    { redacted: { const: true } },
  ),
  EventSummary: closed(summary.required, summary.optional),
  Event: closed(
    {
      ...summary.required,
      requestId: text,
      policyVersion: count,
      coverage: ref('Coverage'),
      findings: listOf(ref('EventFinding')),
      context: closed(
        {},
        {
          method: text,
          proto: text,
          host: text,
          uri: text,
          client: text,
          origin: text,
          referer: text,
          secFetchSite: text,
          contentType: text,
        },
      ),
    },
    { ...summary.optional, traceId: text, findingsLeftOut: count },
  ),
  Verdict: closed({ ...verdict, findings: listOf(ref('Finding')) }),
  Explanation: closed({
    verdict: closed({
      ...verdict,
      findings: listOf(closed({ ...finding, steps: listOf(ref('FindingStep')) })),
    }),
    fields: listOf(
      closed({
        pointer: text,
        where,
        text,
        views: listOf(closed({ decoded, text, rulesAsked: listOf(text), findings: listOf(count) })),
      }),
    ),
    steps: count,
    truncated: flag,
  }),
  Rule: closed({
    id: text,
    category,
    cwe: text,
    severity,
    score,
    message: text,
    examples: listOf(any),
    lookalikes: listOf(any),
  }),
};
