import { pickupPointRoutes } from '../../../../api/v2/pickup-points/routes.js';
import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { AppError } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import type { AccountVisit } from '../screen.js';
import { toldError } from '../told.js';
import { filled } from '../words/words.js';

/** Where people find the carrier's pickup points in the form; empty for a carrier without points. */
export function pointsPart(
  { app, account, words }: AccountVisit,
  license: LicenseSummary | undefined,
  found: Html | null = null,
): Html {
  const address = `/panel/a/${account.id}/shipments/points`;
  const hasPoints =
    license !== undefined && app.carriers(license.carrier.provider).pickupPoints !== undefined;
  const button = html`<button type="submit" class="second" formmethod="get" formaction="${address}" formnovalidate
 hx-get="${address}" hx-include="closest form" hx-target="#points" hx-swap="outerHTML">${words.form.findPoints}</button>`;
  return html`<div id="points">${hasPoints ? [found, button] : null}</div>`;
}

/** The points of the city in the form, as a choice; or a sentence that says why there is none. */
export async function foundPoints(
  { query, call, words }: AccountVisit,
  license: LicenseSummary | undefined,
): Promise<Html> {
  const city = query.get('city')?.trim() ?? '';
  try {
    const { data } = await call(pickupPointRoutes.list, { license: license?.key ?? '', query: { city } });
    if (data.length === 0) {
      const text = city === '' ? words.parcel.noPoints : filled(words.parcel.noPointsIn, { city });
      return html`<p class="nothing" role="status"><bdi>${text}</bdi></p>`;
    }
    return html`<div class="field"><label for="point">${words.form.pickup}</label>
<select id="point" name="point" size="8">${data.map(
      ({ id, name, street, number, city: place }) =>
        html`<option value="${id}">${[name, street, number, place].filter(Boolean).join(', ')}</option>`,
    )}</select></div>`;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return html`<p class="error" role="alert" dir="auto">${toldError(words, error)}</p>`;
  }
}
