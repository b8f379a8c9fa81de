import { renderSVG } from 'uqr';
import { Html, html } from '../../../domain/html.js';
import { isTotpSecret, newTotpSecret, totpUri } from '../../../services/panel/proofs.js';
import { field } from './layout.js';
import type { Words } from './words/en.js';

/** The form's fields that set an authenticator app up: the secret as a picture and as text, and the app's code. */
export function authenticatorFields(
  { invitation: texts }: Words,
  { secret, email, error }: { secret: string; email: string; error?: string | undefined },
): Html {
  // The secret of a form may have been changed there.
  const shown = isTotpSecret(secret) ? secret : newTotpSecret();
  const picture = new Html(renderSVG(totpUri(shown, email), { border: 2 }));
  return html`<input type="hidden" name="secret" value="${shown}">
<div class="qr" role="img" aria-label="QR">${picture}</div>
<p>${texts.secret}: <bdi dir="ltr" class="code">${shown}</bdi></p>
${field('code', texts.code, { error, ltr: true, required: true, autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 7 })}`;
}

/** Recovery codes with what they are for, and where to go on. */
export function recoveryCodes(
  { invitation: texts }: Words,
  { codes, next }: { codes: readonly string[]; next: string },
): Html {
  return html`<p>${texts.recoveryIntro}</p>
<ul class="codes">${codes.map((one) => html`<li><bdi dir="ltr" class="code">${one}</bdi></li>`)}</ul>
<p><a class="button" href="${next}">${texts.goOn}</a></p>`;
}
