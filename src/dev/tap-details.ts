/**
 * Loaded into the test runner. An error whose stack has no line of ours, such as one of a closed socket, has nothing to
 * say where it happened; the runner's TAP writer refuses to write that down, and the whole run would end there without
 * naming the test.
 */
import { createRequire } from 'node:module';
import { packageScript } from './paths.js';

interface Yaml {
  safeDump(value: unknown, options?: { skipInvalid?: boolean }): string;
}

function isYaml(value: unknown): value is Yaml {
  return typeof value === 'object' && value !== null && 'safeDump' in value;
}

// The one that the writer itself loads, wherever npm has put it.
const yaml: unknown = createRequire(packageScript('supertap', 'package.json'))('js-yaml');
if (!isYaml(yaml)) throw new Error('the TAP writer has another js-yaml than src/dev/tap-details.ts knows');
const { safeDump } = yaml;
yaml.safeDump = (value, options) => safeDump(value, { ...options, skipInvalid: true });
