import type { TObject } from 'typebox';
import { publishSchema } from './openapi-schema.js';

/** A message to receivers, as documented. */
export interface SentEvent {
  event: string;
  /** Why it is sent. */
  summary: string;
  /** How often it is sent, and the effect of the receiver's answer. */
  description: string;
  /** The effect of an answer that is neither 2xx nor 410. */
  otherwise: string;
  schema: TObject;
  example: object;
}

/** The messages, and their headers. */
export interface SentEvents {
  events: readonly SentEvent[];
  /** Name → meaning. */
  headers: Readonly<Record<string, string>>;
}

/** The document's `webhooks`; titled parts of the schemas go to `schemas`. */
export function publishEvents(
  { events, headers }: SentEvents,
  schemas: Map<string, unknown>,
): Record<string, unknown> {
  const parameters = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const operations = events.map(({ event, otherwise, schema, example, ...texts }): [string, unknown] => [
    event,
    {
      post: {
        operationId: `sent.${event}`,
        tags: ['Webhooks'],
        ...texts,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: publishSchema(schema, schemas), example } },
        },
        responses: {
          '2XX': { description: 'The receiver has it.' },
          410: { description: 'The receiver wants no more: the webhook is turned off.' },
          default: { description: otherwise },
        },
      },
    },
  ]);
  return Object.fromEntries(operations);
}
