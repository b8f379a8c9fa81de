import {
  BinaryPayloadConverter,
  CompositePayloadConverter,
  JsonPayloadConverter,
  type Payload,
  type PayloadConverterWithEncoding,
  UndefinedPayloadConverter,
  ValueError,
} from '@temporalio/common';
import { decode } from '@temporalio/common/lib/encoding.js';
import { PAYLOAD_ENCODINGS } from './payload-encodings.js';

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
