import {
  BinaryPayloadConverter,
  CompositePayloadConverter,
  DefaultFailureConverter,
  JsonPayloadConverter,
  type Payload,
  type PayloadConverterWithEncoding,
  UndefinedPayloadConverter,
  ValueError,
} from '@temporalio/common';
import { decode } from '@temporalio/common/lib/encoding.js';

// Workflows' bundles hold this file: it imports no Node modules.

/** Encodings of payloads beside the SDK's. */
export const PAYLOAD_ENCODINGS = {
  encrypted: 'binary/encrypted',
  /** Made by the codec, never stored: the data say why the payload may not be used. */
  refused: 'parcelworks/refused',
} as const;

/**
 * Throws for what the codec refused. Thrown here, an Update is rejected; thrown by the codec, the workflow task would
 * fail and be tried again for ever.
 */
class RefusedConverter implements PayloadConverterWithEncoding {
  readonly encodingType = PAYLOAD_ENCODINGS.refused;

  toPayload(): undefined {
    return undefined;
  }

  fromPayload(payload: Payload): never {
    throw new ValueError(decode(payload.data ?? new Uint8Array()));
  }
}

/** The SDK's converters, and one for refused payloads. The SDK imports this name. */
export const payloadConverter = new CompositePayloadConverter(
  new UndefinedPayloadConverter(),
  new BinaryPayloadConverter(),
  new JsonPayloadConverter(),
  new RefusedConverter(),
);

/** Moves messages and stack traces of failures into payloads, which the codec encrypts. The SDK imports this name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
