// Writes times in the reader's zone, fits the frame of a mail to the mail, and renews the list. The pages work without it.

const RENEW_AFTER_MS = 3000;
/** Room for a scroll bar under a mail that is wider than its frame. */
const SCROLL_BAR_PX = 17;

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function showTimes() {
  for (const time of document.querySelectorAll('time')) {
    time.textContent = clock.format(new Date(time.dateTime));
  }
}

/** As high as the mail is at this width: a page that scrolls in a page that scrolls cuts mails on a phone. */
function fit(frame) {
  const root = frame.contentDocument?.documentElement;
  if (!root) return;
  frame.style.height = '0';
  const bar = root.scrollWidth > root.clientWidth ? SCROLL_BAR_PX : 0;
  frame.style.height = `${root.scrollHeight + bar}px`;
}

function fitAtEachWidth(frame) {
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    fit(frame);
  });
  observer.observe(frame);
  frame.addEventListener('load', () => fit(frame));
  fit(frame);
}

/** Shows what has come since, and leaves the list alone where that is nothing. */
async function renew(shown) {
  if (document.hidden) return shown;
  const text = await (await fetch(location.href)).text();
  if (text === shown) return shown;
  const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('mails');
  const chosen = document.activeElement?.getAttribute('href');
  document.getElementById('mails').replaceWith(fresh);
  if (chosen) fresh.querySelector(`a[href="${CSS.escape(chosen)}"]`)?.focus();
  showTimes();
  return text;
}

async function keepRenewing() {
  for (let shown = ''; ; ) {
    await new Promise((resolve) => setTimeout(resolve, RENEW_AFTER_MS));
    try {
      shown = await renew(shown);
    } catch {
      // The catcher is being started anew.
    }
  }
}

showTimes();
for (const frame of document.querySelectorAll('iframe')) fitAtEachWidth(frame);
if (document.getElementById('mails') !== null) void keepRenewing();
