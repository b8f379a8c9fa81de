import { _, Ajv, type CodeKeywordDefinition, Name, type ValidateFunction } from 'ajv';
import { Type } from 'ajv/dist/compile/util.js';
import format from 'ajv/dist/vocabularies/format/format.js';
import pattern from 'ajv/dist/vocabularies/validation/pattern.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';

/** An array is looked at no further after so many errors. What is sent by people and their programs has fewer. */
const MAX_ERRORS = 100;

/** The count of errors so far, as Ajv names it in the functions that it writes. */
const ERRORS = new Name('errors');

/**
 * `items` as Ajv has it, except that it ends after {@link MAX_ERRORS} errors: with all errors asked for, a large body
 * of wrong entries would otherwise become several times as many objects.
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
 * A keyword that reads a text, as Ajv has it, except that it passes what `maxLength` refuses anyway: with all errors asked
 * for, a text of any length would otherwise be read to its end. Characters are counted as UTF-16 units, of which one has
 * two at most.
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
// Marks the settings of a license that are stored encrypted; says nothing about their values.
ajv.addKeyword('x-secret');
// Marks those that tell one account of a carrier's from another.
ajv.addKeyword('x-account');
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
