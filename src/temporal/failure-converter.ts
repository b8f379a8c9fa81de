import { DefaultFailureConverter } from '@temporalio/common';

/** Moves messages and stack traces of failures into payloads, which the codec encrypts. The SDK imports this name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
