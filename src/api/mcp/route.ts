import { Type } from 'typebox';
import type { Actor } from '../../domain/audit.js';
import { defineRoute } from '../route.js';

const MESSAGE = { description: 'A message of the protocol.', schema: Type.Unknown() };

/** `POST /mcp`: the Model Context Protocol over HTTP, with the credentials and limits of API v2. */
export const mcpRoute = defineRoute(
  {
    method: 'post',
    path: '/',
    operationId: 'mcp',
    tag: 'Service',
    summary: 'Speak the Model Context Protocol',
    license: 'none',
    forReadOnly: true,
    responses: {
      200: MESSAGE,
      202: { description: 'A notification was taken.' },
      400: MESSAGE,
      406: MESSAGE,
      415: MESSAGE,
    },
  },
  async ({ app, accountId, request }) => {
    const { body, whileWaiting, isReadOnly } = request;
    const headers = new Headers();
    for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
      for (const value of request.headerValues(name)) headers.append(name, value);
    }
    // On use: the protocol's library takes 23 MiB of each process, and most serve no program that speaks it.
    const { answerMcp } = await import('./server.js');
    const mayWrite = app.config.mcp === 'write' && !isReadOnly;
    const actor: Actor = {
      kind: 'mcp',
      name: request.headerValues('x-client-id').join(),
      origin: request.address,
    };
    const caller = { app, accountId, actor, whileWaiting, mayWrite };
    const { status, text } = await answerMcp({ headers, body }, caller);
    return { status, ...(text === '' ? {} : { text }) };
  },
);
