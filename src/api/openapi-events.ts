import type { TObject } from 'typebox';
import { publishSchema } from './openapi-schema.js';

/** A message that receivers get, as the document has it. */
export interface SentEvent {
  event: string;
  /** Why it is sent. */
  summary: string;
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
  const operations = events.map(({ event, summary, schema, example }): [string, unknown] => [
    event,
    {
      post: {
        operationId: `sent.${event}`,
        tags: ['Webhooks'],
        summary,
        description: DESCRIPTION,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: publishSchema(schema, schemas), example } },
        },
        responses: {
          '2XX': { description: 'The receiver has it.' },
          410: { description: 'The receiver wants no more: the webhook is turned off.' },
          default: { description: 'It is sent again.' },
        },
      },
    },
  ]);
  return Object.fromEntries(operations);
}

const DESCRIPTION =
  'Sent at least once, with the same event id each time. The receiver has 15 s to answer 2xx; a redirect is a failure. ' +
  'After the first try come five more, 30 s apart. 410, or five days in which nothing succeeds, turn the webhook off, ' +
  'and the account is told by mail. New fields may be added to `data`.';
