import { triageVerdicts } from '../../event.ts';
import { keyScopes } from '../../key-bounds.ts';
import { coverageReasons } from '../../limits.ts';
import { channelKinds, mailSecurities, messageStates, thresholdFacts } from '../../notification.ts';
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
import { policyComponents } from './policy-components.ts';

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
    asn: count,
    asName: text,
    triage,
  },
};

const verdict = {
  decision: { enum: ['allow', 'block'] },
  score,
  threshold: score,
  coverage: ref('Coverage'),
};

/** The shapes that more than one route speaks of. */
export const components: Readonly<Record<string, Schema>> = {
  Problem: {
    ...closed(
      { type: text, title: text, status: count, detail: text, id: text },
      { errors: listOf(closed({ pointer: text, message: text })) },
    ),
    description: 'An error, RFC 9457.',
  },
  Coverage: {
    ...coverage,
    description:
      'How much of the request was screened. `reasons` names the limits that were reached. `decided` is none: decoding ended at a finding that blocks at every sensitivity, and other fields were screened as they came.',
  },
  ...peopleComponents,
  ...policyComponents,
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
