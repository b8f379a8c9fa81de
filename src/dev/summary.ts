import { tryShipment } from './demo-orders.js';
import { readDevJson } from './state.js';

function text(value: unknown): string {
  return typeof value === 'string' ? value : '-';
}

/** The addresses of the running system and a command to try, read from `.dev/demo.json`. */
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
    `  Tracking page  ${text(demo.tracking_page)}`,
    `  Temporal UI    ${text(demo.temporal_ui)}`,
    `  Mail inbox     ${text(demo.mail_ui)}`,
    '  Settings       .dev/demo.json, .dev/env; logs in .dev/logs',
    '',
    'Create a shipment:',
    `  curl -s ${baseUrl}/api/v2/shipments -H 'Content-Type: application/json' \\`,
    `    -H 'X-Client-Id: ${text(demo.client_id)}' -H 'X-Client-Secret: ${text(demo.client_secret)}' \\`,
    `    -d '${body}'`,
    '',
  ];
  return lines.join('\n');
}
