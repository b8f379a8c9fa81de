import { randomUUID } from 'node:crypto';
import type { CallContext, CarrierAdapter, Outcome } from '../../carriers/contract.js';
import { settingsText, wrongSettings } from '../../carriers/settings.js';
import type { App } from '../app.js';
import { AccountUnreadable, createCarrierAccounts } from '../carriers/carrier-accounts.js';
import { requireAdapter } from './carriers.js';
import { requireLicense } from './licenses.js';

/**
 * A carrier's word about a license. `holds`: it took the credentials. `answered`: it took them and refused the question.
 * `refused`: it did not take them, or the settings are incomplete. `away`: it gave no readable answer. `not_asked`:
 * there is nobody to ask.
 */
interface LicenseCheck {
  license: string;
  provider: string;
  result: 'holds' | 'answered' | 'refused' | 'away' | 'not_asked';
  /** Its meaning, and what to do. */
  answer: string;
}

/** A number that no carrier gives. */
const NO_PARCEL = '999999999';

/**
 * Asks the carrier of a license for a parcel that does not exist, which books nothing: whether address and credentials
 * hold. @throws AppError `validation_failed` for an unknown license
 */
export async function checkLicense(
  app: Pick<App<'appKeys'>, 'db' | 'config' | 'adapters'>,
  request: { license: string },
): Promise<LicenseCheck> {
  const { id, key, provider } = await requireLicense(app, request.license);
  const adapter = requireAdapter(app, provider);
  const accounts = createCarrierAccounts(app.db, app.config.appKeys, (name) => requireAdapter(app, name));
  try {
    const account = await accounts(id, provider);
    const wrong = wrongSettings(adapter, account);
    if (wrong.length > 0) {
      return { license: key, provider, result: 'refused', answer: settingsText(adapter, wrong) };
    }
    const asking = question(adapter, { account, signal: new AbortController().signal });
    return { license: key, provider, ...(asking === null ? NOBODY : told(adapter, await asking)) };
  } catch (error) {
    if (!(error instanceof AccountUnreadable)) throw error;
    return { license: key, provider, ...UNREADABLE };
  }
}

const NOBODY = {
  result: 'not_asked',
  answer: "There is no carrier to ask: the couriers are the shop's.",
} as const;
const UNREADABLE = {
  result: 'refused',
  answer: 'Nothing was asked: the settings are missing, or APP_KEY lacks the key that sealed the secrets.',
} as const;

/** The most harmless question that the adapter has; null where it has none. */
function question(adapter: CarrierAdapter, context: CallContext): Promise<Outcome<unknown>> | null {
  const reference = randomUUID();
  if (adapter.check !== undefined) return adapter.check(context);
  if (adapter.findByReference !== undefined) return adapter.findByReference(reference, context);
  const parcel = { reference, trackingCode: NO_PARCEL, carrierReference: null };
  return adapter.status?.fetch([parcel], context) ?? null;
}

function told(
  { displayName }: CarrierAdapter,
  outcome: Outcome<unknown>,
): Pick<LicenseCheck, 'result' | 'answer'> {
  switch (outcome.kind) {
    case 'accepted':
    case 'duplicate':
      return { result: 'holds', answer: `${displayName} answered, and took the credentials.` };
    case 'unauthorized':
      return {
        result: 'refused',
        answer: `${displayName} does not take the credentials: ${outcome.text} Compare them and the address with what the carrier gave.`,
      };
    case 'rejected':
      return outcome.code === 'invalid_settings'
        ? {
            result: 'refused',
            answer: `Nothing was asked: ${outcome.text} carriers show lists the settings.`,
          }
        : {
            result: 'answered',
            answer: `${displayName} did not complain about the credentials, but refused the question: ${outcome.text}`,
          };
    case 'throttled':
      return { result: 'away', answer: `${displayName} is asked too often at the moment. Try again later.` };
    case 'unavailable':
    case 'unknown':
      return {
        result: 'away',
        answer: `${displayName} gave no readable answer: ${outcome.text} The address may be wrong, or the carrier away.`,
      };
  }
}
