import type { WebhookKey } from '../../../db/queries/webhooks.js';
import { notFound } from '../../../domain/errors.js';
import { type Context, theLicense } from '../../route.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The subscription that the path names, of the selected licence. @throws AppError `not_found` when it is no uuid */
export function webhookKey(
  context: Pick<Context<{ id: string }, unknown, unknown>, 'accountId' | 'licenses' | 'params'>,
): WebhookKey {
  return {
    accountId: context.accountId,
    licenseId: theLicense(context).id,
    id: toUuid(context.params.id),
  };
}

/** A text that is no uuid names nothing, so it answers as what is missing. @throws AppError `not_found` */
export function toUuid(text: string): string {
  if (!UUID.test(text)) throw notFound();
  return text.toLowerCase();
}
