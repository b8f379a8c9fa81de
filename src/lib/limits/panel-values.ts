import type { Entry } from './values-of.js';

const KIB = 1024;

/** The part of the table in `values.ts` that is about the panel. */
export const PANEL_LIMITS = {
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
  columnsKeptSeconds: [31_536_000, 'columns that a user has chosen, in the browser', 'the usual ones'],
  providerSeconds: [600, 'a sign-in begun at the OpenID provider', 'begins again'],
  providerMs: [10_000, 'each of the two waits for the OpenID provider in a sign-in', '503'],
  formBytes: [256 * KIB, 'a form of the panel', '413'],
  formKeptSeconds: [3600, 'the answer to a form, for the same form sent again', 'is sent anew'],
  formClaimSeconds: [30, 'a form whose process has died', 'may be sent again'],
  formLookMs: [50, 'between two looks at a form that another request carries out', '-'],
  searched: [2000, "a list's newest shipments among which a name is looked for", 'the page says so'],
  listRows: [100, 'shipments of a page', 'on the next page'],
  chosenAtOnce: [500, 'shipments that are printed at once; of those to be cancelled `listRows`', '422'],
  pageRows: [25, 'rows of a page', 'on the next page'],
  counted: [10_000, 'shipments that a filter finds', 'only the newest are listed'],
  auditRows: [50_000, 'changes in a CSV file of the audit', 'the oldest are left out'],
  attempts: [5000, 'bookings of the last day in the health of carriers', 'the oldest are not counted'],
  answerCharacters: [500, "a receiver's answer", 'cut off'],
  sourceCharacters: [20_000, "a mail's HTML source in its preview", 'cut off'],
  renewedSeconds: [3, 'between two looks at a batch, an export or a delivery in progress', '-'],
  askedMs: [30_000, 'an answer that script of an open page waits for', 'the page says so, and asks again'],
  reconnectMs: [15_000, 'longest pause before such a page follows its stream again', '-'],
  streams: [500, 'pages that follow these in a process', 'they ask every few seconds'],
  streamsOfUser: [6, 'of them, those of one user', 'they ask every few seconds'],
} satisfies Record<string, Entry>;
