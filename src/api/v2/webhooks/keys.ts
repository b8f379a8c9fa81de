import type { WebhookKey } from '../../../db/queries/webhooks/webhooks.js';
import { type Context, theLicense } from '../../route.js';
import { toUuid } from '../../uuid.js';

/** The selected license's subscription in the path. @throws AppError `not_found` when it is no uuid */
export function webhookKey(
  context: Pick<Context<{ id: string }, unknown, unknown>, 'accountId' | 'licenses' | 'params'>,
): WebhookKey {
  return {
    accountId: context.accountId,
    licenseId: theLicense(context).id,
    id: toUuid(context.params.id),
  };
}
