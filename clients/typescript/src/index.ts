export type { Answer, RawAnswer } from './answer.js';
/** All that the client does, without a method for each operation. */
export { Caller } from './caller.js';
export {
  ApiError,
  ConnectionError,
  type Failed,
  ParcelworksError,
  type ResolveOptions,
  UnknownOutcomeError,
} from './errors.js';
export type * from './generated/parcelworks.js';
export { Parcelworks } from './generated/parcelworks.js';
export type * from './generated/types.js';
export { Listing } from './listing.js';
export type { CallOptions, ClientOptions, Input, Operation, Tried, Try } from './options.js';
export { VERSION } from './request.js';
export {
  type SentHeaders,
  signWebhook,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
} from './webhooks.js';
