import { type Entry, valuesOf } from './values-of.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Limits that an operator or a caller meets beyond the settings, and those that several files share; other numbers stand beside their
 * only reader. A name that ends in a unit is in that unit, a `Share` is a part of one, and all others are counts.
 * `docs/configure.md` shows this table unchanged.
 */
export const LIMIT_TABLE = {
  requests: {
    headersMs: [10_000, 'until all headers of a request are there', '408'],
    // A batch of the largest size comes through at a quarter of a megabit a second.
    bodyMs: [30_000, 'until a body is there, and longer at the rate of the next line', '408'],
    bodyBytesPerSecond: [32 * KIB, 'bytes of a body from then on, on average', '408'],
    headerBytes: [16 * KIB, 'the headers of a request', '431'],
    bodyBytes: [1 * MIB, 'a body, where the route names no other limit', '413'],
    stalledMs: [20_000, 'time in which a caller takes nothing of its answer', 'the connection is closed'],
    takenMs: [120_000, 'until a caller has taken the rest of its answer', 'the connection is closed'],
    idleMs: [65_000, 'a connection between two requests', 'it is closed'],
    unreadAnswerBytes: [128 * MIB, 'answers of a process that are not read yet; half for one address', '503'],
    largeBodiesShare: [0.75, '`BODY_BUDGET_BYTES`, for all large bodies', '503'],
    bodiesOfCallerShare: [0.5, '`BODY_BUDGET_BYTES`, for one caller', '503'],
    transfersOfCallerShare: [0.5, '`MAX_WORKING_REQUESTS`: bodies, and unread answers, of a caller', '503'],
    workOfCallerShare: [0.5, '`MAX_WORKING_REQUESTS`: working requests of a caller', '503'],
    waitsOfCallerShare: [0.25, '`MAX_OPEN_REQUESTS`: requests of a caller that wait for others', '503'],
    pipelined: [64, 'requests of a connection before the first answer', 'the connection is closed'],
    asideFromBytes: [128 * KIB, 'a batch, or list of points, that needs no thread', 'read by a thread'],
    levels: [32, 'nesting of a body', '400'],
    values: [50_000, 'entries and members of a body', '413'],
    members: [1000, 'members of one object', '413'],
    v1Values: [20_000, 'entries and members of a JSON body of API v1', '413'],
    formParts: [250_000, 'fields and brackets of a form', '413'],
  },
  callers: {
    messagesARequest: [10, "a carrier's webhooks of a license, times `RATE_LIMIT_PER_MINUTE`", '429'],
    inboundBodyBytes: [256 * KIB, "body of a carrier's webhook", '413'],
    inboundValues: [2000, 'entries and members of it', '413'],
    knownKept: [10_000, 'right credentials, and as many wrong ones, in memory', 'the oldest go'],
    rightKeptMs: [3_600_000, 'right credentials, which let a blocked address in', 'looked up again'],
    wrongKeptMs: [60_000, 'wrong credentials from a blocked address', 'looked up again'],
    lookups: [100, 'look-ups of unknown credentials from blocked addresses, at once', '429'],
    lookupsPerSecond: [20, 'the same in the long run', '429'],
    tokenUseSeconds: [60, 'between two notes of when credentials or a session were used', 'it is not noted'],
    credentials: [50, 'valid credentials of an account', 'no more are made'],
    overlapHours: [24, 'replaced API credentials, unless another time is given', 'end'],
  },
  creations: {
    alwaysTaken: [32, 'creations of a process that no worker has begun', '503, while workers are behind'],
    inputBytes: [1.5 * MIB, 'a creation as the engine stores it, which accepts 2 MiB', '413'],
    repeatSeconds: [3600, 'a repeated order of API v1, from the first answer on', 'books again'],
  },
  database: {
    statementMs: [30_000, 'a statement', 'is ended'],
    acquireMs: [10_000, 'wait for a connection of the pool', '503'],
    migrationSeconds: [600, 'wait for a migration that another process makes', '`migrate` fails'],
    rows: [1000, 'rows that one statement changes, which locks them', 'left to the next statement'],
    insertedRows: [500, 'rows that one statement inserts', 'left to the next statement'],
  },
  engine: {
    answerMs: [8000, 'a call to Temporal', '503'],
    healthMs: [2000, 'the answers of MySQL and Temporal to `/health/ready`', '503'],
    lostLookDays: [30, 'a shipment without rows is looked for in the engine, from its creation on', '404'],
    lostAheadMs: [60_000, 'by how much the clock that made its uuid may be ahead', '404'],
    codecBodyBytes: [8 * MIB, 'payloads that the Temporal UI or CLI has decrypted in one request', '413'],
  },
  worker: {
    // Far below every time-out: a busy process must not count as dead, and the answer carries a cancellation.
    heartbeatMs: [1000, 'between two heartbeats of an activity', '-'],
    // An idle queue's poll is answered after a minute.
    pollMs: [90_000, 'since Temporal last answered a poll of a queue', "503 of a worker's `/health/ready`"],
    waitShare: [0.5, '`SHUTDOWN_GRACE_MS`, for requests that wait for others', 'they answer 202 or 503'],
  },
  carriers: {
    callMs: [15_000, 'a call, where the license has no `timeout_ms`', 'its outcome is unknown'],
    xmlBytes: [250_000, 'a reply in XML about one parcel; it takes 0.1 s to parse', 'counts as unreadable'],
    labelBytes: [10_000_000, 'a label file', 'is refused'],
    asksOfShipment: [10, 'questions about one shipment at once', 'the stored status stands'],
    askAgainMs: [30_000, 'between two further ones', '-'],
    askedKept: [10_000, 'shipments whose questions a process counts', 'the oldest go'],
    refreshMs: [10_000, "a carrier's answer to `refresh=true`", 'the stored status stands'],
    aheadMs: [300_000, "by how much a carrier's clock is ahead", 'the event waits, or counts as of now'],
  },
  polling: {
    events: [500, 'events of a parcel that are kept', 'dropped'],
    unknownHours: [24, "a carrier's event without a shipment", 'dropped'],
  },
  webhooks: {
    ofLicense: [20, 'webhooks of a license', '422'],
    requestMs: [15_000, 'an attempt, from look-up to last byte', 'it failed'],
    leaseSeconds: [30, 'mark of an attempt under way; longer than a request', 'the attempt counts as lost'],
    attempts: [6, 'attempts of a delivery', 'it failed'],
    mostAttempts: [100, 'attempts of a delivery that is replayed again and again', '422'],
    replayed: [10_000, 'deliveries of one replay', 'left to the next replay'],
    failingDays: [5, 'a receiver that only fails', 'is turned off'],
    overlapHours: [24, 'an old secret after a change', 'no longer signs'],
    olderSecrets: [3, 'old secrets of a webhook that sign beside the new one', 'the oldest ends'],
    headerBytes: [16 * KIB, "head of a receiver's answer, and of a logo's", 'the attempt fails'],
  },
  mails: {
    templates: [200, 'templates of a license', '422'],
    templateKib: [1024, "bodies of a license's templates", '422'],
    atOnce: [20, 'mails that a worker hands over at once; servers limit connections', 'wait their turn'],
    exportMs: [300_000, 'handing over the mail of an export', 'the try fails'],
  },
  batches: {
    openOfAccount: [100, 'batches of an account with pending items', '429'],
    bytesOfDay: [1024 * MIB, 'batches of an account in a day (UTC), which are kept', '429'],
    items: [2000, 'items of a batch', '422'],
    itemBytes: [1 * MIB, 'an item', 'the item fails'],
    bodyBytes: [16 * MIB, 'a batch', '413'],
    values: [500_000, 'entries and members of a batch, 250 for each item', '413'],
    chunk: [100, 'items of a step', 'left to the next step'],
    ofAccountAtOnce: [
      4,
      'chunks of an account that a worker works on at once',
      'tried again, later each time',
    ],
  },
  imports: {
    fileBytes: [10 * MIB, 'a file of orders, or a pasted table', '413'],
    unpackedBytes: [48 * MIB, 'what a workbook holds unpacked', 'it is refused'],
    lines: [20_000, 'rows of a file, of which several may be one order', 'it is refused'],
    columns: [200, 'columns of a file', 'it is refused'],
    lineCharacters: [200_000, 'a row of a CSV file', 'it is refused'],
    cellCharacters: [2000, 'a cell', 'cut'],
    pageRows: [20, 'orders of a page that a person mends', 'on the next page'],
    keptDays: [14, 'a draft', 'is deleted'],
  },
  kept: {
    addresses: [5000, 'addresses that an account keeps', '422'],
    presets: [20, 'presets of parcels that an account keeps', '422'],
  },
  exports: {
    atOnce: [3, 'files that a worker writes at once', 'wait their turn'],
    attachedBytes: [7 * MIB, 'a file that is attached to its mail', 'a link instead'],
    linkDays: [7, 'a link to the file', '404'],
  },
  labels: {
    ofDocument: [500, 'labels of one document, one a package', '422'],
    ofHtml: [200, 'labels of one HTML document, which the API makes itself', '422'],
    few: [10, 'labels that are printed together with others', 'printed by a separate run'],
    launchMs: [30_000, "a browser's start", 'tried again'],
    closeMs: [2000, "a browser's end", 'killed'],
    logoBytes: [512 * KIB, 'a logo', 'left out'],
  },
  points: {
    firstMs: [20_000, 'the first question for a license', '503'],
  },
  panel: {
    requestsOfUser: [600, 'requests of a user of the panel in a minute', '429'],
    signInsOfUser: [10, 'wrong sign-ins of one e-mail from one address in a minute', '429'],
    signInsOfEmail: [200, 'the same, from all addresses', '429'],
    checks: [10, 'sign-ins from addresses over `AUTH_FAILURES_PER_MINUTE`, at once', '429'],
    checksPerSecond: [2, 'the same in the long run', '429'],
    wrongCodesOfUser: [
      20,
      'wrong codes after a right password, of one user in a day',
      'only a recovery code gets in',
    ],
    sessionIdleSeconds: [43_200, 'a session without a request', 'ends'],
    sessionSeconds: [604_800, 'a session', 'ends'],
    frameSeconds: [43_200, "what a store's frame was opened with", 'is opened again from the store'],
    invitationSeconds: [259_200, 'an invitation that nobody has accepted', 'ends'],
    providerSeconds: [600, 'a sign-in begun at the OpenID provider', 'begins again'],
    providerMs: [10_000, 'each of the two waits for the OpenID provider in a sign-in', '503'],
    formBytes: [256 * KIB, 'a form of the panel', '413'],
    formClaimSeconds: [30, 'a form whose process has died', 'may be sent again'],
    formLookMs: [50, 'between two looks at a form that another request carries out', '-'],
    searched: [2000, "a list's newest shipments among which a name is looked for", 'the page says so'],
    listRows: [100, 'shipments of a page', 'on the next page'],
    chosenAtOnce: [500, 'shipments that are printed at once; of those to be cancelled `listRows`', '422'],
    pageRows: [25, 'rows of a page', 'on the next page'],
    counted: [10_000, 'shipments that a filter finds', 'only the newest are listed'],
    auditRows: [50_000, 'changes in a CSV file of the audit', 'the oldest are left out'],
    attempts: [5000, 'bookings of the last day in the health of carriers', 'the oldest are not counted'],
    renewedSeconds: [3, 'between two looks at a batch, an export or a delivery in progress', '-'],
    streams: [500, 'pages that follow these in a process', 'they ask every few seconds'],
    streamsOfUser: [6, 'of them, those of one user', 'they ask every few seconds'],
  },
  operators: {
    hookMs: [10_000, 'an answer of `ALERT_URL`', 'told again within a minute'],
    figuresKeptMs: [10_000, 'figures of the whole service, in the metrics of an API process', 'read again'],
    figuresMs: [5000, "reading them from MySQL or Temporal, or those of Temporal's SDK", 'they are left out'],
  },
  upkeep: {
    housekeepingSeconds: [900, 'between two runs of housekeeping', '-'],
  },
} satisfies Record<string, Record<string, Entry>>;

export const LIMITS = valuesOf(LIMIT_TABLE);
