import { isStatusCode } from '../../src/domain/statuses.js';
import { textAt } from '../../src/lib/json.js';
import { RUN_QUERIES, runsLink } from '../../src/lib/temporal-ui.js';
import { tryShipment } from '../demo/orders.js';
import { nextStatuses } from '../demo/tracked.js';
import { readDevJson } from './state.js';

function text(value: unknown): string {
  return typeof value === 'string' ? value : '-';
}

/** The command that moves the tracked parcel, and its possible statuses. */
function movingLines(demo: Record<string, unknown>): string[] {
  const provider = textAt(demo, 'tracked', 'provider');
  const status = textAt(demo, 'tracked', 'status');
  const [next, ...later] = isStatusCode(status) ? nextStatuses(status) : [];
  if (next === undefined) return [];
  const body = JSON.stringify({ code: textAt(demo, 'tracked', 'code'), status: next });
  return [
    '',
    `Move the parcel of the tracking page, and reload it (then ${later.join(', ') || 'it is there'}):`,
    `  curl -s ${textAt(demo, 'sandboxes', provider)}/__advance -d '${body}'`,
  ];
}

/** URLs of the running system and an example command, from `.dev/demo.json`. */
export function summary(): string {
  const demo = readDevJson('demo.json');
  const baseUrl = text(demo.base_url);
  const orderId = `try-${Date.now()}`;
  const body = JSON.stringify(tryShipment(orderId));
  const lines = [
    '',
    'Parcelworks is running.',
    `  API            ${baseUrl}/api/v2, for store plugins ${baseUrl}/api`,
    `  Docs           ${baseUrl}/docs, with a form for each route on ${baseUrl}/docs/v2`,
    `  Panel          ${text(demo.panel)}; npm run panel prints e-mail, password and the code of now`,
    `  Tracking page  ${text(demo.tracking_page)}`,
    `  Temporal UI    ${text(demo.temporal_ui)}`,
    ...runLinks(demo.temporal_ui),
    `  Mail inbox     ${text(demo.mail_ui)}`,
    ...(typeof demo.prometheus === 'string' ? [`  Prometheus     ${demo.prometheus}, with our alerts`] : []),
    '  Settings       .dev/demo.json, .dev/env; logs in .dev/logs',
    '  Parcels        one in every status, within a minute, under orders named demo-<license>-<status>.',
    '                 Those of demo-independent and of the second shop never move: their couriers report',
    '                 nothing, so that they stay created until they are cancelled.',
    '                 Then the last days of three shops: some 200 parcels, within another minute.',
    ...movingLines(demo),
    '',
    'Create a shipment:',
    `  curl -s ${baseUrl}/api/v2/shipments -H 'Content-Type: application/json' \\`,
    `    -H 'X-Client-Id: ${text(demo.client_id)}' -H 'X-Client-Secret: ${text(demo.client_secret)}' \\`,
    `    -d '${body}'`,
    '',
  ];
  return lines.join('\n');
}

/** The most useful links for operators. */
function runLinks(url: unknown): string[] {
  if (typeof url !== 'string') return [];
  const namespace = process.env['TEMPORAL_NAMESPACE'] ?? 'default';
  const link = (query: string) => runsLink({ url, namespace }, query);
  return [
    `    all runs     ${link(RUN_QUERIES.all)}`,
    `    waiting      ${link(RUN_QUERIES.waiting)}`,
    `    to decide    ${link(RUN_QUERIES.needsAttention)}`,
  ];
}
