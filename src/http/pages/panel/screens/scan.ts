import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import { type Html, html } from '../../../../domain/html.js';
import { isUuid } from '../../../../lib/ids.js';
import { withoutMarks } from '../../../../lib/sent-text.js';
import { code, facts, labelled } from '../layout.js';
import { chosen, state } from '../parts.js';
import { type AccountVisit, accountScreen, type ScreenPage } from '../screen.js';
import { filled } from '../words/words.js';
import { MARKS, MODES, type Mode, OUTCOMES, type Outcome, type Scanned, scanned } from './scan-act.js';
import { carrierShown } from './shipment-columns.js';
import { wholeParcel } from './whole-parcel.js';

/** Scans that the list shows without script. */
const MOST_SHOWN = 8;

/** A line of the list. Texts are empty where there is no shipment. */
interface Line {
  outcome: Outcome;
  code: string;
  text: string;
  uuid: string;
  order: string;
  recipient: string;
}

const blank = accountScreen('get', '/scan', 'ship', (visit) =>
  page(visit, { mode: modeIn(visit.query), past: [], last: '', newest: null }),
);

const scan = accountScreen('post', '/scan', 'ship', async (visit) => {
  const { form } = visit;
  const mode = modeIn(form);
  const text = withoutMarks(form.get('code') ?? '').slice(0, 191);
  const last = `${mode}.${text}`;
  const newest = await scanned(visit, { mode, code: text, isAgain: form.get('last') === last });
  const past = form.getAll('past').flatMap((one) => lineIn(one) ?? []);
  return await page(visit, { mode, past: past.slice(0, MOST_SHOWN - 1), last, newest });
});

function modeIn(values: URLSearchParams): Mode {
  return MODES.find((one) => one === values.get('mode')) ?? 'open';
}

interface Scanning {
  mode: Mode;
  /** Newest first. */
  past: readonly Line[];
  /** Mode and code of the scan before. */
  last: string;
  newest: Scanned | null;
}

async function page(visit: AccountVisit, scanning: Scanning): Promise<ScreenPage> {
  const { newest, past } = scanning;
  const { app, words, account } = visit;
  const { scan: texts } = words;
  const licenses = await listLicenseSummaries(app.db, account.id);
  const lines = newest === null ? past : [lineOf(newest), ...past];
  const shown = newest === null ? null : await result(visit, newest, licenses);
  const lost: Line = { outcome: 'wrong', code: '', text: texts.lost, uuid: '', order: '', recipient: '' };
  return {
    title: texts.title,
    main: html`<form method="post" action="/panel/a/${account.id}/scan" class="scan" autocomplete="off"
 hx-post="/panel/a/${account.id}/scan" hx-target="#scanned" hx-swap="afterbegin" hx-sync="queue all" data-scan>
${chosen('last', scanning.last)}
${lines.map((line) => chosen('past', JSON.stringify(Object.values(line))))}
${modes(visit, scanning.mode, licenses)}
<div class="find">${labelled(
      { name: 'code', label: texts.code, required: false, hint: texts.hint, error: undefined },
      (described) =>
        html`<input id="code" name="code" type="text" dir="ltr" maxlength="191" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go" required autofocus${described}>`,
    )}
<button>${texts.go}</button></div>
</form>
<ol id="scanned" class="scanned" aria-live="assertive" aria-label="${texts.list}">${lines.map((line) => item(visit, line))}</ol>
<template id="scan-lost">${item(visit, lost)}</template>
<div id="shown">${shown}</div>`,
    ...(newest === null
      ? {}
      : { part: html`${item(visit, lineOf(newest))}<div id="shown" hx-swap-oob="innerHTML">${shown}</div>` }),
  };
}

/** The choice of what each scan does. Only parcels of own couriers are marked: other carriers report by themselves. */
function modes({ app, words }: AccountVisit, mode: Mode, licenses: readonly LicenseSummary[]): Html {
  const { scan: texts, statuses } = words;
  const isMarked = licenses.some(({ carrier }) => {
    const { status, webhook } = app.carriers(carrier.provider);
    return status === undefined && webhook === undefined;
  });
  const marks = isMarked
    ? MARKS.map((one) => [one, filled(texts.mark, { status: statuses[one] })] as const)
    : [];
  const options = [['open', texts.open] as const, ['print', texts.print] as const, ...marks];
  return html`<fieldset class="modes"><legend>${texts.each}</legend>
${options.map(
  ([value, text]) =>
    html`<label class="check"><input type="radio" name="mode" value="${value}"${value === mode ? html` checked` : null}> <span>${text}</span></label>
`,
)}</fieldset>`;
}

function lineOf({ outcome, code: scannedCode, text, shipment }: Scanned): Line {
  return {
    outcome,
    code: scannedCode,
    text,
    uuid: shipment?.uuid ?? '',
    order: shipment?.order.number ?? '',
    recipient: shipment?.recipient.name ?? '',
  };
}

/** A line as the form has carried it; null where it is none. */
function lineIn(text: string): Line | null {
  const values = parsed(text);
  if (!Array.isArray(values)) return null;
  const [first, scannedCode, said, uuid, order, recipient] = values.map((value: unknown) => String(value));
  const outcome = OUTCOMES.find((one) => one === first);
  if (outcome === undefined || recipient === undefined) return null;
  return {
    outcome,
    code: scannedCode ?? '',
    text: said ?? '',
    uuid: uuid ?? '',
    order: order ?? '',
    recipient,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** How each outcome looks: a class that has its color and its sign. */
const LOOKS: Readonly<Record<Outcome, string>> = {
  opened: 'completed',
  printed: 'completed',
  marked: 'completed',
  already: 'pending',
  wrong: 'failed',
};

function item(
  { words, account }: AccountVisit,
  { outcome, code: scannedCode, text, uuid, order, recipient }: Line,
): Html {
  const named =
    isUuid(uuid) && order !== ''
      ? html`<a href="/panel/a/${account.id}/shipments/${uuid}">${code(order)}</a> <bdi>${recipient}</bdi>`
      : code(scannedCode);
  return html`<li class="${outcome}">${state(LOOKS[outcome], words.scan.outcomes[outcome])} <span class="named">${named}</span> <span dir="auto">${text}</span></li>
`;
}

/** The label that is printed, or the parcel that is opened; nothing beside an error, so that no older one is taken for it. */
async function result(
  visit: AccountVisit,
  { outcome, label, shipment, code: scannedCode }: Scanned,
  licenses: readonly LicenseSummary[],
): Promise<Html | null> {
  const { words, account, language } = visit;
  const { scan: texts } = words;
  const list = new URLSearchParams({ q: scannedCode });
  if (shipment === null && scannedCode !== '') {
    return html`<p><a href="/panel/a/${account.id}/shipments?${list.toString()}">${texts.look}</a></p>`;
  }
  if (label !== undefined) {
    const prints = outcome === 'printed' ? html` data-print` : null;
    return html`<p><a href="${label}" target="_blank">${texts.tab}</a></p>
<iframe class="label" src="${label}" title="${texts.label}"${prints}></iframe>`;
  }
  if (shipment === null || outcome === 'marked' || outcome === 'wrong') return null;
  const { recipient, status, uuid } = shipment;
  const address = [recipient.street, recipient.number, recipient.city].filter(Boolean).join(' ');
  return html`<p>${state(status.code, words.statuses[status.code])} <a href="/panel/a/${account.id}/shipments/${uuid}">${texts.whole}</a></p>
${facts([
  [words.trackingCode, code(shipment.trackingCode)],
  [words.recipient, html`<bdi>${recipient.name}</bdi>, <bdi>${address}</bdi>, ${code(recipient.phone)}`],
  [words.carrier, html`<bdi>${carrierShown(shipment, licenses, language)}</bdi>`],
])}
${await wholeParcel(visit, shipment)}`;
}

export const scanScreens = [blank, scan];
