import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOpenApi } from '../../src/api/openapi.js';
import { buildV1OpenApi } from '../../src/api/v1/openapi.js';
import { v1Routes } from '../../src/api/v1/routes.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Writes the documents of both APIs into a folder, for client generators: `v2.json`, `v1.json`, and each as
 * `…-json.json` without the bodies that are forms.
 */
const [folder = '.'] = process.argv.slice(2);
const documents = { v2: buildOpenApi(v2Routes, SENT_EVENTS, '1.0.0'), v1: buildV1OpenApi(v1Routes, '1.0.0') };
for (const [name, document] of Object.entries(documents)) {
  await writeFile(join(folder, `${name}.json`), JSON.stringify(document));
  const withoutForms = JSON.stringify(document, (key, value) => (key === FORM ? undefined : value));
  await writeFile(join(folder, `${name}-json.json`), withoutForms);
}
