import test from 'ava';
import { runtimeImports, valueImports } from '../../src/dev/type-imports.js';

test('imports of values are told from imports of types', (t) => {
  const source = [
    "import { a } from '../src/contracts/ids.js';",
    "import type { b } from '../activities/index.js';",
    'import {\n  c,\n} from "node:fs";',
    "import {\n  type d,\n} from './lib/proxies.js';",
  ].join('\n');

  const imports = runtimeImports('workflows/example.ts', source);

  t.deepEqual(imports, ['src/contracts/ids.js', 'workflows/lib/proxies.js']);
});

test('no folder imports at run time what it may only name in types', (t) => {
  t.deepEqual(valueImports(), []);
});
