import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { shipmentBody } from './api-client.js';
import type { Owner } from './clean-ups.js';
import type { TestAccount, TestStack } from './stack.js';

/** By HTTP at the service, or by the program that a desktop host starts. */
export type McpDoor = 'http' | 'stdio';

/** A service, and the credentials for it. */
export interface McpPlace {
  url: string;
  keys: { clientId: string; clientSecret: string };
}

/** Tools that change nothing at a carrier. */
export const READ_TOOLS = [
  'find_parcels',
  'parcel_story',
  'pickup_points',
  'needs_attention',
  'dry_run_parcel',
  'parcel_label',
];

/** The program that a desktop host starts. */
export const BRIDGE = join(projectFolder, 'clients/mcp/parcelworks-mcp.mjs');

export function headersFor({ keys }: McpPlace) {
  return { 'x-client-id': keys.clientId, 'x-client-secret': keys.clientSecret };
}

export function environmentFor({ url, keys }: McpPlace) {
  return {
    PARCELWORKS_URL: url,
    PARCELWORKS_CLIENT_ID: keys.clientId,
    PARCELWORKS_CLIENT_SECRET: keys.clientSecret,
  };
}

/** The result of a call, and the object that its text ends with. */
export function readAnswer({ content, isError }: { [name: string]: unknown }) {
  const text = String((content as { text: string }[])[0]?.text);
  const data = text.includes('\n{') ? JSON.parse(text.slice(text.indexOf('\n{'))) : {};
  return { text, data, isError: isError === true };
}

/** A call of `book_parcel`. */
export function booking(
  account: TestAccount,
  orderId: string,
  more: { ship_data?: object; [name: string]: unknown } = {},
) {
  const { ship_data } = shipmentBody(account, 'run');
  return { ...more, ship_data: { ...ship_data, ...more.ship_data }, order: { id: orderId } };
}

/** How many parcels of an order the carriers really have. */
export async function parcelsOf(
  { sandboxes }: Pick<TestStack, 'sandboxes'>,
  orderId: string,
): Promise<number> {
  const ledgers = await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.ledger()));
  return ledgers.flat().filter(({ request }) => JSON.stringify(request).includes(orderId)).length;
}

/** The protocol's client, at one of the doors. */
export async function openMcp(owner: Owner, door: McpDoor, place: McpPlace) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport =
    door === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${place.url}/mcp`), {
          requestInit: { headers: headersFor(place) },
        })
      : new StdioClientTransport({ command: process.execPath, args: [BRIDGE], env: environmentFor(place) });
  owner.teardown(() => client.close());
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    readAnswer(await client.callTool({ name, arguments: args }));
  return { client, call };
}
