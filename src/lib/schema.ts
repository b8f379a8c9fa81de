import { _, Ajv, type CodeKeywordDefinition, Name, type ValidateFunction } from 'ajv';
import { Type } from 'ajv/dist/compile/util.js';
import format from 'ajv/dist/vocabularies/format/format.js';
import pattern from 'ajv/dist/vocabularies/validation/pattern.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';

/** Validation of an array stops after this many errors. */
const MAX_ERRORS = 100;

/** Ajv's name for the error count in generated code. */
const ERRORS = new Name('errors');

/**
 * Ajv's `items`, but stops after {@link MAX_ERRORS} errors: with `allErrors`, a large invalid body would become
 * several times as many objects.
 */
const boundedItems: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  code(context) {
    const { gen, data, keyword } = context;
    const valid = gen.name('valid');
    gen.forRange('i', 0, _`${data}.length`, (index) => {
      gen.if(_`${ERRORS} > ${MAX_ERRORS}`, () => gen.break());
      context.subschema({ keyword, dataProp: index, dataPropType: Type.Num }, valid);
    });
  },
};

/**
 * Ajv's keyword for texts, but skips texts that `maxLength` refuses anyway: with `allErrors`, even huge ones
 * would be read to the end. Counts UTF-16 units, at most two per character.
 */
function forBoundedTexts(keyword: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...keyword,
    code(context, ruleType) {
      const { gen, data, parentSchema } = context;
      const most: unknown = parentSchema.maxLength;
      const code = () => keyword.code(context, ruleType);
      if (typeof most === 'number') gen.if(_`!(${data}.length > ${2 * most})`, code);
      else code();
    },
  };
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: true, strictTypes: false });
for (const keyword of [boundedItems, forBoundedTexts(pattern.default), forBoundedTexts(format.default)]) {
  ajv.removeKeyword(String(keyword.keyword));
  ajv.addKeyword(keyword);
}
addFormats.default(ajv);
// Marks license settings that are stored encrypted; does not validate.
ajv.addKeyword('x-secret');
// Marks license settings that identify the account at the carrier.
ajv.addKeyword('x-account');
// Rules for readers of the document; the code checks them itself.
ajv.addKeyword('x-published');

/**
 * Compiles a schema on first use: of about two hundred, most (for responses) are used only in tests. `S` is the
 * accepted type. @returns a function that returns the compiled validator and throws for an invalid schema
 */
export function compileOnUse<S>(schema: TSchema): () => ValidateFunction<S> {
  let check: ValidateFunction<S> | undefined;
  return () => {
    check ??= ajv.compile<S>(schema);
    return check;
  };
}

/** Compiles the validator of a foreign schema, such as a carrier's, once. @throws Error for an invalid schema */
export function validatorOf(schema: object): ValidateFunction {
  return ajv.compile(schema);
}
