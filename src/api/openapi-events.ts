import type { TObject } from 'typebox';
import { publishSchema } from './openapi-schema.js';

/** A message that receivers get, as the document has it. */
export interface SentEvent {
  event: string;
  /** Why it is sent. */
  summary: string;
  /** How often it is sent, and what the receiver's answer does. */
  description: string;
  /** What becomes of it after an answer that is neither 2xx nor 410. */
  otherwise: string;
  schema: TObject;
  example: object;
}

/** What is sent, and with which headers. */
export interface SentEvents {
  events: readonly SentEvent[];
  /** Name → what it holds. */
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
