import { DefaultFailureConverter } from '@temporalio/common';

/** Keeps messages and stack traces of failures as payloads, which the codec encrypts. The SDK loads it by this name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
