import test from 'ava';
import type { TSchema } from 'typebox';
import { v1Routes } from '../../../src/api/v1/routes.js';
import { compileOnUse } from '../../../src/lib/schema.js';

test('every schema of every route compiles, and takes the example that is published beside it', (t) => {
  for (const { operationId, input, inputExample, responses } of v1Routes) {
    const check = compileOnUse(input)();
    if (inputExample !== undefined) t.true(check(inputExample), `${operationId}: input`);
    for (const [status, { schema, example }] of Object.entries(responses)) {
      if (schema === undefined) continue;
      const checkAnswer = compileOnUse(schema)();
      t.true(example === undefined || checkAnswer(example), `${operationId} ${status}`);
    }
  }
});

test('operation ids, and methods with paths, are unique', (t) => {
  const ids = v1Routes.map(({ operationId }) => operationId);
  const paths = v1Routes.map(({ method, path }) => `${method} ${path}`);

  t.is(new Set(ids).size, v1Routes.length);
  t.is(new Set(paths).size, v1Routes.length);
});

test('every parameter that is not told by its name alone has a description', (t) => {
  const plain = new Set(['per_page', 'page', 'flag', 'active_only', 'label_generated']);
  for (const { operationId, input } of v1Routes) {
    const properties: Record<string, TSchema> = Reflect.get(input, 'properties');
    for (const [name, schema] of Object.entries(properties)) {
      if (plain.has(name) || ['object', 'array'].includes(String(Reflect.get(schema, 'type')))) continue;
      t.is(typeof Reflect.get(schema, 'description'), 'string', `${operationId}: ${name}`);
    }
  }
});

test('the shipping group is normalised and kept; routes that answer with tokens are not', (t) => {
  for (const { operationId, path, guard, normalised, responses } of v1Routes) {
    const isShipping = path.startsWith('/shipping/') && guard === 'license' && !path.includes('{');
    t.is(normalised ?? false, isShipping, operationId);
    if (JSON.stringify(responses).includes('"token"')) t.falsy(normalised, operationId);
  }
});
