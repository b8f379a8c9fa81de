import { type Static, Type } from 'typebox';
import { titled } from '../schemas.js';

export const LabelUrl = titled('LabelUrl', 'Where a document is.', {
  url: Type.String({ format: 'uri', description: 'A PDF; anyone with the URL can print.' }),
});

/** A URL of the built-in renderer. */
export const labelUrlExample = {
  url: 'https://parcels.acme.test/shipping/label/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211',
} satisfies Static<typeof LabelUrl>;
