import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import type { Owner } from './clean-ups.js';

/** By HTTP at the service, or by the program that a desktop host starts. */
export type McpDoor = 'http' | 'stdio';

interface Place {
  url: string;
  keys: { clientId: string; clientSecret: string };
}

/** The protocol's client, at one of the doors. */
export async function openMcp(owner: Owner, door: McpDoor, { url, keys }: Place) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { 'x-client-id': keys.clientId, 'x-client-secret': keys.clientSecret };
  const transport =
    door === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
      : new StdioClientTransport({
          command: process.execPath,
          args: [join(projectFolder, 'clients/mcp/parcelworks-mcp.mjs')],
          env: {
            PARCELWORKS_URL: url,
            PARCELWORKS_CLIENT_ID: keys.clientId,
            PARCELWORKS_CLIENT_SECRET: keys.clientSecret,
          },
        });
  owner.teardown(() => client.close());
  await client.connect(transport as Parameters<Client['connect']>[0]);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const text = String((content as { text: string }[])[0]?.text);
    const data = text.includes('\n{') ? JSON.parse(text.slice(text.indexOf('\n{'))) : {};
    return { text, data, isError: isError === true };
  };
  return { client, call };
}
