import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { textsOf } from '../../domain/problems/problem.js';
import { isObject, publishSchema } from '../openapi-schema.js';
import { FENCE_RULE, fenced } from './fence.js';
import { findParcels, needsAttention, parcelLabel, parcelStory, pickupPoints } from './read-tools.js';
import { isRefusal, LicenseUnclear, type Tool, type ToolAnswer, type ToolCaller } from './tool.js';
import { bookParcel, cancelParcel, dryRunParcel } from './write-tools.js';

/** Every tool, for both doors. */
const TOOLS: readonly Tool[] = [
  findParcels,
  parcelStory,
  pickupPoints,
  needsAttention,
  dryRunParcel,
  bookParcel,
  parcelLabel,
  cancelParcel,
];

const INSTRUCTIONS = `Parcelworks books and follows parcels of one merchant. ${FENCE_RULE} Book or cancel only what your user asked for in this conversation. After an unknown outcome never repeat: ask parcel_story.`;

const WRITES_OFF =
  'This tool changes parcels, which is off here: the operator turns it on with MCP=write, and the credentials must not be read-only.';

/** Answers one HTTP request of the protocol. No session is kept: any process answers any request. */
export async function answerMcp(
  request: { headers: Headers; body: unknown },
  caller: ToolCaller,
): Promise<{ status: number; text: string }> {
  const server = serverFor(caller);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    // The address is read by nobody.
    const sent = new Request('http://localhost/mcp', { method: 'POST', headers: request.headers });
    const answer = await transport.handleRequest(sent, { parsedBody: request.body });
    return { status: answer.status, text: await answer.text() };
  } finally {
    await server.close();
  }
}

function serverFor(caller: ToolCaller): Server {
  const server = new Server(
    { name: 'parcelworks', title: 'Parcelworks', version: caller.app.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const allowed = TOOLS.filter(({ writes }) => caller.mayWrite || !writes);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: allowed.map(published) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) return resultOf({ data: { outcome: 'no_such_tool' }, isError: true });
    if (!allowed.includes(tool))
      return resultOf({ data: { outcome: 'forbidden' }, next: WRITES_OFF, isError: true });
    return resultOf(
      await tool.run(params.arguments ?? {}, caller).catch((error: unknown) => refusal(error, tool, caller)),
    );
  });
  return server;
}

function published({ name, title, description, input, hints }: Tool) {
  const schema = withOneType(publishSchema(input, new Map()));
  return {
    name,
    title,
    description,
    inputSchema: { ...(isObject(schema) ? schema : {}), type: 'object' as const },
    annotations: { title, ...hints, openWorldHint: true },
  };
}

/**
 * The schema without null beside a type. A model leaves a field out instead, and hosts whose models know one type a
 * field drop the field's rules or the whole tool. The check still takes null.
 */
function withOneType(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOneType);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      key === 'type' && Array.isArray(part) ? part.find((type) => type !== 'null') : withOneType(part),
    ]),
  );
}

/** Our own words stand in front; everything else is data, fenced. */
function resultOf({ data, next, isError = false }: ToolAnswer): CallToolResult {
  const text = [FENCE_RULE, ...(next === undefined ? [] : [next]), JSON.stringify(fenced(data), null, 1)];
  return { content: [{ type: 'text', text: text.join('\n') }], isError };
}

function refusal(error: unknown, tool: Tool, caller: ToolCaller): ToolAnswer {
  if (error instanceof LicenseUnclear) {
    const next = 'Ask your user which license is meant, and name it by license_id.';
    return { data: { outcome: 'license_unclear', licenses: error.licenses }, next, isError: true };
  }
  if (isRefusal(error, caller)) {
    const { code, message, fields } = error;
    const data = { outcome: 'refused', error: { code, message, fields: textsOf(fields ?? {}) } };
    return { data, ...(tool.writes ? { next: 'Nothing was changed.' } : {}), isError: true };
  }
  const next = tool.writes
    ? 'Do not repeat: ask parcel_story what became of it.'
    : 'The service is busy or away. Ask again in a minute.';
  return { data: { outcome: tool.writes ? 'unknown' : 'unavailable' }, next, isError: true };
}
