/** Encodings of payloads beside the SDK's. Apart from the codec, since workflows' bundles hold no Node modules. */
export const PAYLOAD_ENCODINGS = {
  encrypted: 'binary/encrypted',
  /** Made by the codec, never stored: the data say why the payload may not be used. */
  refused: 'parcelworks/refused',
} as const;
