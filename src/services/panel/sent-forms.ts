import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  claimForm,
  findSentForm,
  freeForm,
  keepAnswer,
  renewClaim,
} from '../../db/queries/accounts/panel-sent-forms.js';
import { Overloaded } from '../../domain/errors.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { App } from '../app.js';

type FormsApp = Pick<App<'appKeys'>, 'config' | 'db' | 'onTrouble'>;

/** A form as a user sends it. `key`: of the form as it was served. `content`: its fields. */
export interface SentForm {
  userId: number;
  key: string;
  path: string;
  content: string;
}

/** A request's part in a form: carry it out, and end with one of both; or only tell what came of it. */
export type Turn =
  | {
      kind: 'first';
      /** Ends with an answer, which the same form gets when it is sent again. */
      keep(answer: string): Promise<void>;
      /** Ends without one: the form may be sent again, corrected or not. */
      free(): Promise<void>;
    }
  | { kind: 'again'; isSame: boolean; answer: string };

const { formClaimSeconds: seconds, formLookMs } = LIMITS.panel;

/**
 * The turn of a request that sends a form. It waits while another request carries the form out.
 * @throws Overloaded when `signal` is aborted meanwhile
 */
export async function takeTurn(app: FormsApp, form: SentForm, signal: AbortSignal): Promise<Turn> {
  const { userId } = form;
  const name = { userId, formKey: digest(form.key, form.path) };
  const contentHash = digest(form.content);
  const claim = { ...name, claim: randomBytes(16), seconds };
  while (!(await claimForm(app.db, claim, contentHash))) {
    const sent = await findSentForm(app.db, name);
    if (sent !== null && sent.answer !== null) {
      const answer = app.config.appKeys.openText('panel form', sent.answer);
      return { kind: 'again', isSame: sent.contentHash.equals(contentHash), answer };
    }
    if (sent !== null) await delay(formLookMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw new Overloaded();
  }
  const renewing = setInterval(
    () => {
      renewClaim(app.db, claim).catch(app.onTrouble);
    },
    (seconds * 1000) / 3,
  );
  return {
    kind: 'first',
    async keep(answer) {
      clearInterval(renewing);
      await keepAnswer(app.db, claim, app.config.appKeys.seal('panel form', answer));
    },
    async free() {
      clearInterval(renewing);
      await freeForm(app.db, claim);
    },
  };
}

function digest(...texts: readonly string[]): Buffer {
  return createHash('sha256').update(texts.join('\n')).digest();
}
