import { type Static, Type } from 'typebox';

export const LabelUrl = Type.Object(
  { url: Type.String({ format: 'uri', description: 'A PDF; anyone with the URL can print.' }) },
  { title: 'LabelUrl', description: 'Where a document is.', additionalProperties: false },
);

/** A URL of the built-in renderer. */
export const labelUrlExample = {
  url: 'https://parcels.acme.test/shipping/label/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211',
} satisfies Static<typeof LabelUrl>;
