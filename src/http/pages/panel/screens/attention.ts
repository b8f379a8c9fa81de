import type { BookingDecision } from '../../../../contracts/create-shipment.js';
import {
  countNeedingAttention,
  listNeedingAttention,
  listSeen,
  type NamedShipment,
  type NeedingAttention,
} from '../../../../db/queries/shipments/attention.js';
import { AppError, validationError } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { type Problem, problem, quoted } from '../../../../domain/problems/problem.js';
import { isUuid } from '../../../../lib/ids.js';
import { runsLink, runsWith } from '../../../../lib/temporal-ui.js';
import {
  type Decided,
  resolveBooking,
  resolveBookings,
  type Seen,
} from '../../../../services/admin/bookings.js';
import { AdminError } from '../../../../services/admin/check.js';
import { type Column, code, facts, field, moment, table } from '../layout.js';
import { alert, idPage, queryWith, shownOf, state } from '../parts.js';
import { actingApp, type ScreenPage, screen, serviceForm, type Visit } from '../screen.js';
import { type Refusal, told, toldText } from '../told.js';
import { filled } from '../words/words.js';
import { ATTENTION, actionsOf, askedOf, nameOf } from './attention-forms.js';

const show = screen('get', '/attention', 'operate', (visit) => attentionPage(visit, null));

async function attentionPage(visit: Visit, refusal: Refusal | null): Promise<ScreenPage> {
  const { app, query, words } = visit;
  const provider = query.get('carrier') ?? undefined;
  const { total } = await countNeedingAttention(app.db, { provider });
  const found = await listNeedingAttention(app.db, { provider, ...idPage(visit) });
  const { attention: texts } = words;
  const { shown, next } = shownOf(found, visit, (after) => queryWith(query, { after }));
  if (shown.length === 0) {
    return { title: texts.title, main: html`${alert(refusal)}<p class="nothing">${texts.empty}</p>` };
  }
  return {
    title: texts.title,
    main: html`${alert(refusal)}
<p>${texts.intro}</p>
<p>${filled(texts.count, { count: total })}</p>
${shown.map((one) => card(visit, one))}
${next}
<form method="post" action="${ATTENTION}/chosen" id="many" class="card row">
<p><b>${texts.chosen}</b></p>
<button class="second">${texts.decideChosen}</button>
</form>`,
  };
}

function card({ app, words }: Visit, waiting: NeedingAttention): Html {
  const { uuid, merchant, provider, orderId, reason, since, workflowId, accountId } = waiting;
  const { attention: texts, shipments, story } = words;
  const { temporalUiUrl: url, temporalNamespace: namespace } = app.config;
  const run = runsLink({ url, namespace }, runsWith('WorkflowId', workflowId));
  const choose = filled(shipments.choose, { order: orderId });
  const order = html`${words.order} ${code(orderId)}`;
  return html`<section class="card" aria-labelledby="order-${uuid}">
<h2 id="order-${uuid}"><input type="checkbox" form="many" name="seen" value="${nameOf(waiting)}" aria-label="${choose}">
${waiting.state === 'refused' ? order : html`<a href="/panel/a/${accountId}/shipments/${uuid}">${order}</a>`}</h2>
${facts([
  [texts.merchant, html`<bdi>${merchant}</bdi>`],
  [texts.reference, code(uuid)],
  [texts.attempt, waiting.attempt],
  [words.since, moment(since, words)],
  [texts.underWay, moment(waiting.underWayUntil, words)],
  [words.carrier, code(provider)],
  [texts.reason, html`<bdi dir="auto">${toldText(words, reason)}</bdi>`],
  [story.run, run === null ? null : html`<a href="${run}" rel="noopener noreferrer">${code(workflowId)}</a>`],
])}
<div class="actions">${actionsOf(waiting, words)}</div></section>`;
}

/** @throws AppError `validation_failed` where none is named, or not in the form's way */
function seenOf({ form, words }: Visit): Seen[] {
  const seen = [...new Set(form.getAll('seen'))].map((name) => {
    const [uuid = '', attempt = ''] = name.split(' ');
    if (!isUuid(uuid) || !/^\d{1,9}$/.test(attempt)) {
      throw new AppError('validation_failed', quoted(words.sentForms.noChoice));
    }
    return { uuid, attempt: Number(attempt) };
  });
  if (seen.length === 0) throw new AppError('validation_failed', quoted(words.shipments.noneChosen));
  return seen;
}

/** @throws AppError `validation_failed` for an action that is none */
function decisionOf({ form, words }: Visit, { attempt }: Seen): BookingDecision {
  const value = (name: string) => form.get(name)?.trim() ?? '';
  switch (form.get('action')) {
    case 'adopt':
      return {
        action: 'adopt',
        trackingCode: value('code'),
        ...(form.has('even_so') ? { evenSo: true } : {}),
      };
    case 'give_up':
      return { action: 'give_up', attempt, reason: value('reason') };
    case 'retry':
      return { action: 'retry', attempt };
    default:
      throw new AppError('validation_failed', quoted(words.sentForms.noChoice));
  }
}

/** The decisions about those chosen: one form for each. */
const chosen = serviceForm('/attention/chosen', 'operate', attentionPage, async (visit) => {
  const { app, words } = visit;
  const { attention: texts } = words;
  const seen = seenOf(visit);
  const hidden = seen.map((one) => html`<input type="hidden" name="seen" value="${nameOf(one)}">`);
  const form = (action: string, title: string, inside: Html) => html`<section class="card"><h2>${title}</h2>
<form method="post" action="${ATTENTION}" class="narrow">
<input type="hidden" name="action" value="${action}">${hidden}
${inside}
</form></section>`;
  return {
    title: texts.title,
    main: html`${table(words, texts.title, await listSeen(app.db, seen), columnsOf<NamedShipment>(words))}
${form('retry', texts.retry, html`<button>${texts.retrySubmit}…</button>`)}
${form(
  'give_up',
  texts.giveUp,
  html`${field('reason', words.reason, { required: true, maxlength: 255 })}
<button>${texts.giveUpSubmit}…</button>`,
)}
<p><a class="button second" href="${ATTENTION}">${words.back}</a></p>`,
  };
});

/** Asks first, and decides when the answer is sent. */
const decide = serviceForm('/attention', 'operate', attentionPage, async (visit) => {
  const seen = seenOf(visit);
  const [first] = seen;
  if (first === undefined) throw new AppError('validation_failed', quoted(visit.words.shipments.noneChosen));
  const decision = decisionOf(visit, first);
  if (decision.action === 'adopt' && seen.length > 1) {
    throw validationError({ code: [problem('one_code')] });
  }
  const named = await listSeen(visit.app.db, seen);
  if (named.length < seen.length) {
    throw validationError({ seen: [problem('waits_not')] });
  }
  return visit.form.get('answer') === 'yes'
    ? await outcomes(visit, { seen, decision, named })
    : question(visit, { seen, decision, named });
});

interface Deciding {
  seen: readonly Seen[];
  decision: BookingDecision;
  named: readonly NamedShipment[];
}

function question({ words }: Visit, { seen, decision, named }: Deciding): ScreenPage {
  const { attention: texts } = words;
  const { action } = decision;
  const isUnsure = named.every(({ state }) => state === 'created');
  const { question, submit } = askedOf(texts, isUnsure)[action];
  const given = {
    ...(decision.action === 'adopt' ? { code: decision.trackingCode } : {}),
    ...(decision.action === 'give_up' ? { reason: decision.reason } : {}),
  };
  const isDangerous = action !== 'adopt';
  return {
    title: texts.title,
    main: html`<p>${question}</p>
${table(words, texts.title, named, columnsOf<NamedShipment>(words))}
${facts([
  [words.trackingCode, decision.action === 'adopt' ? code(decision.trackingCode) : null],
  [words.reason, decision.action === 'give_up' ? html`<bdi>${decision.reason}</bdi>` : null],
])}
<form method="post" action="${ATTENTION}" class="narrow">
<input type="hidden" name="action" value="${action}">
${seen.map((one) => html`<input type="hidden" name="seen" value="${nameOf(one)}">`)}
${Object.entries(given).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${action === 'adopt' && !isUnsure ? html`<label class="check"><input type="checkbox" name="even_so"> <span>${texts.evenSo}</span></label>` : null}
<div class="actions"><button class="${isDangerous ? 'danger' : 'first'}" name="answer" value="yes">${submit}: ${seen.length}</button>
<a class="button second" href="${ATTENTION}">${words.back}</a></div>
</form>`,
  };
}

function columnsOf<T extends NamedShipment>(words: Visit['words'], second?: Column<T>): Column<T>[] {
  return [
    [
      words.order,
      ({ accountId, uuid, orderId }) =>
        html`<a href="/panel/a/${accountId}/shipments/${uuid}">${code(orderId)}</a>`,
    ],
    ...(second === undefined ? [] : [second]),
    [words.attention.merchant, ({ merchant }) => html`<bdi>${merchant}</bdi>`],
    [words.attention.reference, ({ uuid }) => code(uuid)],
  ];
}

interface DecidedShipment extends NamedShipment {
  decided: Decided | null;
  refusal: Problem | null;
}

/** Decides on each and shows what came of it. */
async function outcomes(visit: Visit, { seen, decision, named }: Deciding): Promise<ScreenPage> {
  const { words } = visit;
  const { attention: texts } = words;
  const app = actingApp(visit);
  const all = await visit.whileWaiting(async () =>
    decision.action === 'adopt'
      ? [await adoptOne(app, seen, decision)]
      : await resolveBookings(app, { seen, decision }),
  );
  const came = new Map(all.map((one) => [one.uuid, one]));
  const decided = named.map((one): DecidedShipment => {
    const { decided = null, refusal = null } = came.get(one.uuid) ?? {};
    return { ...one, decided, refusal };
  });
  const done = decided.filter((one) => one.decided !== null).length;
  const outcome: Column<DecidedShipment> = [words.story.outcome, (one) => outcomeOf(one, words)];
  return {
    title: texts.title,
    status: done === 0 ? 422 : 200,
    main: html`<p role="status">${filled(texts.decidedCount, { done, total: seen.length })}</p>
${table(words, texts.title, decided, columnsOf(words, outcome))}
<p><a class="button" href="${ATTENTION}">${texts.title}</a></p>`,
  };
}

async function adoptOne(
  app: ReturnType<typeof actingApp>,
  [first]: readonly Seen[],
  decision: BookingDecision,
): Promise<{ uuid: string; decided: Decided | null; refusal: Problem | null }> {
  const uuid = first?.uuid ?? '';
  try {
    return { uuid, decided: await resolveBooking(app, { uuid, decision }), refusal: null };
  } catch (error) {
    if (!(error instanceof AdminError || (error instanceof AppError && error.status < 500))) throw error;
    return { uuid, decided: null, refusal: error.problem };
  }
}

function outcomeOf({ decided, refusal }: DecidedShipment, words: Visit['words']): Html {
  const { attention: texts, trackingCode } = words;
  if (decided === null) {
    const why = refusal === null ? '' : told(words, refusal);
    return html`${state('failed', texts.notDecided)} <bdi dir="auto" class="answer">${why}</bdi>`;
  }
  if (decided.kind === 'created') {
    return html`${state('created', texts.outcomes.created)} ${trackingCode} ${code(decided.trackingCode)}`;
  }
  if (decided.kind === 'goes_on') return state('created', texts.outcomes.goes_on);
  const isOpen = decided.kind === 'still_unknown' || decided.kind === 'not_ended';
  return state(isOpen ? 'needs_attention' : 'cancelled', texts.outcomes[decided.kind]);
}

export const attentionScreens = [show, chosen, decide];
