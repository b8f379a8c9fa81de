// The pages' own script beside htmx; without it every page still works.
document.addEventListener('change', ({ target }) => {
  const pickup = document.getElementById('pickup');
  if (!(target instanceof HTMLSelectElement) || target.id !== 'point') return;
  if (pickup instanceof HTMLInputElement) pickup.value = target.value;
});
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const boxes = target.dataset.all === undefined ? [target] : document.getElementsByName(target.dataset.all);
  for (const box of boxes) box.checked = target.checked;
  const form = target.closest('form[data-keeps]');
  if (form !== null) keepTicks(form, boxes);
});

/** Ticks live on in a cookie, which the server reads where it shows the list. `last`: boxes of the last click. */
function keepTicks(form, last) {
  const { keeps, user, most } = form.dataset;
  const others = form.elements.others.value.split('.').filter((id) => id !== '');
  const ticked = () => [...form.querySelectorAll('[name="uuid"]:checked')];
  let tooMany = others.length + ticked().length - Number(most);
  form.querySelector('[data-full]').hidden = tooMany <= 0;
  for (const box of [...last].reverse()) {
    if (tooMany <= 0) break;
    if (box.checked && box.name === 'uuid') tooMany -= 1;
    if (box.name === 'uuid') box.checked = false;
  }
  const ids = [...others, ...ticked().map(({ dataset }) => dataset.id)];
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `parcelworks-chosen=${[user, ...ids].join('.')}; path=${keeps}; samesite=lax${secure}`;
  form.querySelector('[data-count]').textContent = ids.length;
}

// A page that the browser has kept whole has the ticks of when it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && document.querySelector('form[data-keeps]') !== null) location.reload();
});

// A scan is sent with a key of its own, as the form stays in the page; the field is ready for the next at once.
document.addEventListener('htmx:config:request', ({ target, detail: { ctx } }) => {
  if (!(target instanceof HTMLFormElement) || target.dataset.scan === undefined) return;
  const { body } = ctx.request;
  const { code, last } = target.elements;
  body.set(
    'key',
    Array.from(crypto.getRandomValues(new Uint32Array(6)), (part) => part.toString(36)).join('-'),
  );
  body.delete('past');
  last.value = `${body.get('mode')}.${body.get('code')}`;
  code.value = '';
  code.focus();
});
// Pages for paper have a button beside the browser's own menu.
document.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLElement && target.dataset.prints !== undefined) print();
});
// Who chooses with the mouse or a finger scans next; who does with the keyboard may choose on.
document.addEventListener('click', ({ target, detail }) => {
  const form = detail > 0 && target instanceof Element ? target.closest('.modes')?.closest('form') : null;
  if (form) setTimeout(() => form.elements.code.focus());
});
/** A scan without an answer stands in the list too. */
function scanLost(form, ctx) {
  const template = document.getElementById('scan-lost');
  if (form.dataset?.scan === undefined || !(template instanceof HTMLTemplateElement)) return;
  const item = template.content.cloneNode(true);
  item.querySelector('.named').textContent = new URLSearchParams(ctx.request.body).get('code');
  document.getElementById('scanned').prepend(item);
  document.getElementById('shown').replaceChildren();
  form.elements.last.value = '';
}
// The label of a scan prints by itself where the browser lets a page print a PDF; elsewhere its viewer has a button.
document.addEventListener(
  'load',
  ({ target }) => {
    if (!(target instanceof HTMLIFrameElement) || target.dataset.print === undefined) return;
    try {
      target.contentWindow.print();
    } catch {
      target.focus();
      return;
    }
    document.getElementById('code')?.focus();
  },
  true,
);

// While the service does not answer, an open page says since when, and asks again. Errors change nothing else in it.
const AGAIN_MS = 5000;
const line = document.getElementById('unanswered');
const waiting = new Set();
let since = null;
let said = '';

function answered() {
  since = null;
  said = '';
  line?.replaceChildren();
}

/** `status`: of the answer; none where there is no answer. */
function unanswered(element, status) {
  since ??= new Date();
  say(status === 401 ? 'unanswered-ended' : 'unanswered-away');
  if (waiting.has(element)) return;
  waiting.add(element);
  setTimeout(() => {
    waiting.delete(element);
    if (element.isConnected) element.dispatchEvent(new Event('again'));
  }, AGAIN_MS);
}

function say(name) {
  const template = document.getElementById(name);
  if (said === name || line === null || !(template instanceof HTMLTemplateElement)) return;
  said = name;
  const text = template.content.cloneNode(true);
  for (const time of text.querySelectorAll('time')) {
    const format = { timeStyle: 'short', timeZone: 'Asia/Jerusalem', numberingSystem: 'latn' };
    time.dateTime = since.toISOString();
    time.textContent = since.toLocaleTimeString(time.lang, format);
  }
  line.replaceChildren(text);
}

document.addEventListener('htmx:before:response', ({ target, detail: { ctx } }) => {
  if (ctx.response.status < 400) answered();
  else {
    unanswered(target, ctx.response.status);
    scanLost(target, ctx);
  }
});
document.addEventListener('htmx:error', ({ target, detail: { ctx } }) => {
  if (ctx === undefined || ctx.response !== undefined) return;
  unanswered(target);
  scanLost(target, ctx);
});
document.addEventListener('htmx:sse:after:connection', answered);
document.addEventListener('htmx:sse:error', ({ detail: { connection, status } }) => {
  // The first error is the end of a stream, which may be opened again at once. The extension tries again by itself.
  if (connection === undefined || connection.attempt === 0) return;
  since ??= new Date();
  say(status === 401 ? 'unanswered-ended' : 'unanswered-away');
});
