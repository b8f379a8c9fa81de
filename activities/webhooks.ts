import { ApplicationFailure } from '@temporalio/activity';
import type { WakeTarget } from '../src/contracts/wake.js';
import { listOverdue } from '../src/db/queries/leased-queue.js';
import { findOwnerNotice, markOwnerTold } from '../src/db/queries/webhooks/webhooks.js';
import { renderWebhookOffMail } from '../src/documents/mails/webhook-off-mail.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { MailError } from '../src/outbound/mail.js';
import type { App } from '../src/services/app.js';
import {
  type OperatorApp,
  OperatorsNotTold,
  tellOperators,
} from '../src/services/operations/tell-operators.js';
import type { SendingApp } from '../src/services/webhooks/webhook-attempts.js';
import { createSendDueActivity } from './webhook-sending.js';

const OVERDUE_SECONDS = 20;

/** Activities on the webhooks queue. */
export function createWebhookActivities(app: SendingApp & OperatorApp & Pick<App, 'wake'>) {
  const { db, mailer, wake } = app;
  return {
    sendDue: createSendDueActivity(app),

    /**
     * Mails an account that its webhook disabled itself. A repeated mail has the same message id. An invalid
     * address is not retried.
     */
    async tellOwner({
      subscriptionId: id,
    }: {
      subscriptionId: string;
    }): Promise<'told' | 'refused' | 'settled'> {
      const notice = await findOwnerNotice(db, id);
      if (notice === null) return 'settled';
      let end: 'told' | 'refused' = 'told';
      try {
        const messageId = `webhook-off.${id}.${notice.offSince.replace(/\D/g, '')}`;
        await mailer.send({ to: notice.email, messageId, ...renderWebhookOffMail({ id, ...notice }) });
      } catch (error) {
        if (!(error instanceof MailError) || !error.isFinal) throw error;
        end = 'refused';
      }
      await markOwnerTold(db, id);
      return end;
    },

    /** Wakes every workflow with overdue work; returns the number. */
    async wakeOverdue(): Promise<number> {
      const { webhooks, mails, inbound } = await listOverdue(db, {
        olderThanSeconds: OVERDUE_SECONDS,
        limit: LIMITS.database.rows,
      });
      const targets: WakeTarget[] = [
        ...webhooks.map((webhook) => ({ kind: 'webhook' as const, ...webhook })),
        ...mails.map((licenseId) => ({ kind: 'mail' as const, licenseId })),
        ...inbound.map((licenseId) => ({ kind: 'inbound' as const, licenseId })),
      ];
      wake(targets);
      return targets.length;
    },

    /**
     * Tells operators what waits for a person; returns the number of messages. @throws ApplicationFailure, to be
     * retried
     */
    async tellOperators(): Promise<number> {
      try {
        return await tellOperators(app);
      } catch (error) {
        if (!(error instanceof OperatorsNotTold)) throw error;
        throw ApplicationFailure.retryable(error.message, 'OperatorsNotTold');
      }
    },
  };
}
