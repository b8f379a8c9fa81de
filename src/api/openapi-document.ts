import type { TSchema } from 'typebox';
import { isObject, propertiesOf, publishSchema } from './openapi-schema.js';
import type { Operation } from './operation.js';

/** A part of the document. */
export type Json = Record<string, unknown>;

/** Titled schemas, by title. */
export type Schemas = Map<string, unknown>;

/**
 * An OpenAPI 3.1 document. `operationOf`: what the versions do not publish alike of an operation; `schemas`: those that
 * no operation brings.
 */
export function buildDocument<Route extends Operation>(
  {
    base,
    schemas,
    ...info
  }: { title: string; version: string; description: string; base: string; schemas: Schemas },
  routes: readonly Route[],
  operationOf: (route: Route, schemas: Schemas) => Json,
  { components, ...rest }: Json & { components: Json },
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const { operationId, tag, summary, description } = route;
    const operation = { operationId, tags: [tag], summary, description, ...operationOf(route, schemas) };
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
  }
  const sorted = [...schemas].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: base, description: 'This server.' }],
    ...rest,
    paths,
    components: { ...components, schemas: Object.fromEntries(sorted) },
  };
}

/** The fields of an object as parameters. */
export function parametersIn(place: 'path' | 'query', schema: object, schemas: Schemas): Json[] {
  const required: unknown = Reflect.get(schema, 'required');
  return Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const published = publishSchema(property, schemas);
    const { description, ...rest } = isObject(published) ? published : {};
    return {
      name,
      in: place,
      required: Array.isArray(required) && required.includes(name),
      description,
      ...(rest.type === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema: rest,
    };
  });
}

/** A body of JSON. */
export function jsonContent(schema: TSchema, example: unknown, schemas: Schemas): Json {
  return { 'application/json': { schema: publishSchema(schema, schemas), example } };
}
