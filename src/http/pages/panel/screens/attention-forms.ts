import type { NeedingAttention } from '../../../../db/queries/shipments/attention.js';
import { type Html, html } from '../../../../domain/html.js';
import type { Seen } from '../../../../services/admin/bookings.js';
import { field } from '../layout.js';
import type { Visit } from '../screen.js';

/** Where parcels that need a person are shown. */
export const ATTENTION = '/panel/attention';

/** A parcel that nobody claims can only be taken off the list; one that may be cancelled is, or goes on. */
export function actionsOf(waiting: NeedingAttention, words: Visit['words']): Html {
  const { attention: texts } = words;
  const { uuid } = waiting;
  const isUnclaimed = waiting.state === 'refused';
  const isUnsure = waiting.state === 'created';
  const [title, submit] = isUnclaimed
    ? [texts.handled, texts.handledSubmit]
    : isUnsure
      ? [texts.isCancelled, texts.isCancelledSubmit]
      : [texts.giveUp, texts.giveUpSubmit];
  const giveUp = decisionForm(
    waiting,
    'give_up',
    title,
    field('reason', words.reason, { id: `reason-${uuid}`, required: true, maxlength: 255 }),
    html`<button>${submit}…</button>`,
  );
  if (isUnclaimed) return giveUp;
  if (isUnsure) {
    const code = html`<input type="hidden" name="code" value="${waiting.trackingCode}">`;
    return html`${giveUp}
${decisionForm(waiting, 'adopt', texts.goesOn, code, html`<button>${texts.goesOnSubmit}…</button>`)}`;
  }
  const ask = html`<button>${texts.adoptSubmit}…</button>`;
  const codeField = field('code', words.trackingCode, {
    id: `code-${uuid}`,
    ltr: true,
    required: true,
    maxlength: 64,
  });
  return html`${decisionForm(waiting, 'adopt', texts.adopt, codeField, ask)}
${decisionForm(waiting, 'retry', texts.retry, null, html`<button>${texts.retrySubmit}…</button>`)}
${giveUp}`;
}

/** Asks the question, which names the order. */
function decisionForm(seen: Seen, action: string, title: string, fields: Html | null, button: Html): Html {
  return html`<details><summary class="button">${title}</summary>
<form method="post" action="${ATTENTION}">
<input type="hidden" name="action" value="${action}">
<input type="hidden" name="seen" value="${nameOf(seen)}">
${fields}
${button}
</form></details>`;
}

/** A shipment and the call that the page showed, as forms carry them. */
export function nameOf({ uuid, attempt }: Seen): string {
  return `${uuid} ${attempt}`;
}

/** The question before a decision on a booking, or on a cancellation that nobody is sure of. */
export function askedOf(texts: Visit['words']['attention'], isUnsure: boolean) {
  return {
    adopt: isUnsure
      ? { question: texts.goesOn, submit: texts.goesOnSubmit }
      : { question: texts.adoptQuestion, submit: texts.adoptSubmit },
    retry: { question: texts.retryQuestion, submit: texts.retrySubmit },
    give_up: isUnsure
      ? { question: texts.isCancelled, submit: texts.isCancelledSubmit }
      : { question: texts.giveUpQuestion, submit: texts.giveUpSubmit },
  };
}
