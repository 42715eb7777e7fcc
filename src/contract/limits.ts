/**
 * Every bound of the service, in one place. Beyond a bound of the wire the request is refused with
 * its error; beyond a bound of the core the verdict says `coverage.complete: false` and names the
 * bound.
 */
export const limits = {
  /** Request body, bytes. 413 beyond. */
  bodyBytesMax: 1_048_576,
  /** Bodies up to this size are parsed and validated by the front end, larger ones by a thread. */
  bodyInlineBytesMax: 16_384,
  /** Body of a sign-in or of the set-up, which need no key. 413 beyond. */
  strangerBodyBytesMax: 16_384,
  /** The query that an identity provider sends a browser back with. 422 beyond. */
  providerAnswerCharsMax: 8_192,
  /** Body of a client's report. 413 beyond. */
  clientReportBytesMax: 4_096,
  /**
   * The `keep-alive: timeout` of answers, which says how long an unused connection stays open.
   * uWebSockets.js closes it after 8 to 12 seconds, and a request may be on its way for one.
   */
  keepAliveSeconds: 7,
  /** Time to receive a whole body. 408 beyond. */
  bodyReceiveMs: 10_000,
  /**
   * Memory of bodies that have not come whole, all together; a key may hold as much of it as is
   * still free. 503 beyond.
   */
  receptionBytesMax: 134_217_728,
  /** Answers without a body, such as to HEAD; beyond, each closes its connection. */
  bodilessAnswersPerSecondMax: 100,
  /** After an answer that closes the connection: time to read the rest of the body away. */
  bodyLingerMs: 2_000,
  /** The longest wait that a caller can state in `x-deadline-ms`. */
  deadlineMsMax: 3_600_000,
  /** Nesting of the JSON body. 400 beyond. */
  jsonDepthMax: 64,
  /** Members and array items of the JSON body, all depths. 400 beyond. */
  jsonMembersMax: 10_000,
  /** Reads of the store within a second for keys that are not known, all together. */
  keyLookUpsPerSecondMax: 50,
  /** Longest time that a request waits for such a read. */
  keyLookUpMsMax: 1_000,
  /** Request head; uWebSockets.js drops the connection beyond. */
  headBytesMax: 16_384,

  /**
   * Decoding steps below the raw value. A layer of form encoding is three: the part, `%XX` and `+`.
   */
  decodeDepthMax: 8,
  /** Views of one value, the raw one included. */
  viewsMax: 128,
  /**
   * Effort for the views of one value, in characters: this factor times its length, plus the slack.
   * What a value needs beyond that it takes from a pool that all values of a request share, so that
   * many small values cannot multiply the slack, and none can leave a later one without means.
   */
  expansionFactorMax: 6,
  expansionSlackChars: 256,
  expansionPoolChars: 131_072,
  /** Tokens that one grammar reads from one view. */
  tokensMax: 200_000,
  /** States that the custom patterns of a policy may visit for one request. */
  patternWorkMax: 20_000_000,
  /** Findings kept in a verdict, strongest first. */
  findingsMax: 16,
  /** Characters of evidence in a finding. */
  evidenceCharsMax: 160,
  /** Characters of a pointer in a finding; of a longer one both ends. */
  pointerCharsMax: 2_000,

  /** Requests in one worker task. */
  batchCountMax: 64,
  /** Body bytes in one worker task. */
  batchBytesMax: 131_072,
  /** Thread time that one worker task will probably take, milliseconds. */
  batchWorkMsMax: 5,
  /** The same while several keys want the threads. */
  batchRivalWorkMsMax: 2,
  /** Longest time that an open batch waits for further requests, milliseconds. */
  batchAgeMs: 1,
  /** Requests waiting or being screened, over all batches. 503 beyond; one key has seven eighths. */
  queueRequestsMax: 8_192,
  /** Body bytes waiting or being screened, over all batches. 503 beyond. */
  queueBytesMax: 134_217_728,
  /** A worker task that runs longer counts as hung: its thread is replaced. */
  taskMsMax: 15_000,
  /**
   * So does a batch that has used more processor time than this, for each KiB and for each request
   * with a policy that has patterns; what waits for a processor has not hung.
   */
  batchMsBase: 500,
  batchMsPerKib: 40,
  batchMsPerPatterned: 250,
  /** So does a batch that has slept for this long: screening never does. */
  stillMsMax: 1_000,
  /** Bytes of large requests of proxies that wait to be written as fields; as much for small ones. */
  mapBytesMax: 67_108_864,
  /** Longest time for this, waiting and the start of a thread included. */
  mapMsMax: 5_000,
  /** Explanations that wait for a thread to be free, and the bytes of their bodies. */
  explainQueueMax: 256,
  explainQueueBytesMax: 16_777_216,
  /** Fields and views of an explanation, all together, and characters of each text in it. */
  explainViewsMax: 200,
  explainTextCharsMax: 2_000,
  /** Characters of the excerpt in each step of a finding. */
  stepCharsMax: 512,

  /** A policy document. */
  policyBytesMax: 262_144,
  policyExclusionsMax: 1_000,
  exclusionClientsMax: 50,
  /** Networks that are denied or allowed, over all policies. */
  addressEntriesMax: 10_000,
  /** Of which one request lists so many. */
  addressesAtOnceMax: 1_000,
  /** Networks that one key can be bound to. */
  keyNetworksMax: 50,
  /** How long the use of keys is kept, and in how many rows of one key and one hour at most. */
  keyUsageDays: 90,
  keyUsageRowsMax: 1_000_000,
  /** Rows that wait in memory while the database is unavailable. */
  keyUsageWaitingMax: 50_000,
  /** Pairs of a key and its policy with a series of their own in the metrics. */
  keySeriesMax: 100,
  /** Receivers of notifications. */
  notificationChannelsMax: 20,
  policyCustomRulesMax: 100,
  policyPointerCharsMax: 500,
  /** Examples of a custom rule, near misses as well, and characters of each. */
  policyExamplesMax: 10,
  policyExampleCharsMax: 500,
  /** Characters of a custom pattern, and states of the automaton that it becomes. */
  patternCharsMax: 500,
  patternStatesMax: 1_000,

  /** A declared shape: the document that it is read from, and what is stored of it, as JSON. */
  shapeDocumentBytesMax: 1_000_000,
  shapeBytesMax: 524_288,
  /** Nesting of a document, its nodes, and the schemas in it. */
  shapeDepthMax: 64,
  shapeNodesMax: 200_000,
  shapeSchemasMax: 20_000,
  shapeOperationsMax: 2_000,
  /** Parameters of one operation, values of one `enum`. */
  shapeParametersMax: 200,
  shapeEnumMax: 1_000,
  /** Characters of a pattern in a schema, and states of the automaton that it becomes. */
  shapePatternCharsMax: 2_000,
  shapePatternStatesMax: 10_000,
  /** Time to read a document and compile all of it; to compile one operation. */
  shapeReadMsMax: 10_000,
  shapeOperationMsMax: 250,
  /** Schemas that may be tried for one request. */
  shapeWorkMax: 2_000_000,

  /** Filters of events that administrators have saved. */
  savedFiltersMax: 100,
  /** Events that one call marks. */
  triageAtOnceMax: 500,

  /**
   * What is learnt of traffic, over all policies of a process, in bytes as they are counted: what is
   * stored and held, as much again while it is merged, and what is new since the last save.
   */
  learntHeldBytesMax: 20_971_520,
  learntNewBytesMax: 10_485_760,
  /** Requests that are learnt from in a second, and the bytes of their bodies; others are counted. */
  learntPerSecondMax: 200,
  learntBytesPerSecondMax: 4_194_304,
  /** Requests in one message to the thread that learns, and messages that it may have waiting. */
  learntBatchMax: 64,
  learntBatchesWaitingMax: 4,
  /** Share of its time that this thread works; it leaves requests out beyond. */
  learntWorkShareMax: 0.1,
  /** Time between two saves of what was learnt, milliseconds. */
  learntSaveMs: 30_000,
  /** Events that a proposal is checked against, the newest first. */
  learntEventsMax: 1_000,
  /** Different texts at one place of a path; with more of them it is a parameter. */
  learntSegmentsMax: 32,
  /** Segments of a path; what is longer is not learnt from. */
  learntPathDepthMax: 24,
  /** Fields of one route, names in one object, nesting, and items that are read of one list. */
  learntFieldsMax: 400,
  learntMembersMax: 100,
  learntDepthMax: 12,
  learntItemsMax: 32,
  /** Media types of one route, methods of one path. */
  learntMediaMax: 4,
  learntMethodsMax: 8,
  /** Characters of a name that is kept; a longer one is counted only. */
  learntNameCharsMax: 64,
  /** Different values of a field that are distinguished, and characters of one that is kept. */
  learntValuesMax: 12,
  learntValueCharsMax: 24,

  /** The last good snapshot of keys and policies on the disk. */
  snapshotBytesMax: 134_217_728,
  /** Revocations that wait on the disk for the database. */
  localRevocationsMax: 10_000,

  /** In-flight requests are given this long to finish at shutdown. */
  drainMsMax: 10_000,
  /**
   * At shutdown, connections are kept open this long for one more request, whose answer closes
   * them: a client may be sending it.
   */
  stopGraceMs: 250,
  /**
   * A process that hands over keeps idle connections open this long for a last request. Longer than
   * uWebSockets.js keeps any: it closes an idle one after ten seconds, give or take four.
   */
  handOverMsMax: 15_000,
} as const;

/**
 * The limits that can appear in `coverage.reasons`. `body`: of what a proxy sent, a part of the body
 * is missing or cannot be read. `shape`: the request could not be checked against the declared shape.
 */
export const coverageLimits = [
  'decode-depth',
  'views',
  'expansion',
  'tokens',
  'patterns',
  'shape',
  'body',
] as const;

export type CoverageLimit = (typeof coverageLimits)[number];

/**
 * The names that can appear in `coverage.reasons`. `decided` is no limit: once a finding stands that
 * blocks at every sensitivity, nothing is decoded further, as the request is blocked anyway.
 */
export const coverageReasons = [...coverageLimits, 'decided'] as const;

export type CoverageReason = (typeof coverageReasons)[number];
