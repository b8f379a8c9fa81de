import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: true, strictTypes: false });
addFormats.default(ajv);
// Marks the settings of a licence that are stored encrypted; says nothing about their values.
ajv.addKeyword('x-secret');
// Rules for readers of the document, which the code checks itself.
ajv.addKeyword('x-published');

/**
 * The check of a schema, compiled when it is first asked for: a process knows some two hundred schemas and most of
 * them, those of the answers, are looked at in tests only. `S` is what the schema accepts.
 * @returns a function that gives Ajv's validator, the same one each time; it throws when the schema is not strict.
 */
export function compileOnUse<S>(schema: TSchema): () => ValidateFunction<S> {
  let check: ValidateFunction<S> | undefined;
  return () => {
    check ??= ajv.compile<S>(schema);
    return check;
  };
}

/** The check of a schema that somebody else holds, such as a carrier's; compiled once. @throws Error for a bad one */
export function validatorOf(schema: object): ValidateFunction {
  return ajv.compile(schema);
}
