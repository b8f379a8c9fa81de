// Copy buttons, language tabs and the open menu of wide screens. The pages work without this file.

const CHOICE = 'docs-language';

/** The reader's last choice, for all tabs of all pages; null where the browser keeps nothing. */
function choice() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null;
  }
}

function keep(language) {
  try {
    localStorage.setItem(CHOICE, language);
  } catch {
    // The choice then lasts for this page.
  }
}

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(block.querySelector('code'));
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  };
  button.addEventListener('click', () => void copy());
  block.querySelector('.caption').append(button);
}

const groups = [...document.querySelectorAll('.tabs')].map((group, number) => {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = [...group.querySelectorAll('.code')].map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${number}-${index}`;
    tab.textContent = panel.dataset.language;
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${number}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    list.append(tab);
    return { tab, panel, language: panel.dataset.language };
  });
  group.prepend(list);
  for (const { tab, language } of tabs) {
    tab.addEventListener('click', () => {
      keep(language);
      for (const each of groups) show(each, language);
    });
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ tab }) => tab === document.activeElement);
    const { tab } = tabs[(at + step + tabs.length) % tabs.length];
    tab.focus();
    tab.click();
  });
  return tabs;
});

/** Shows the language where the group has it. */
function show(tabs, language) {
  if (!tabs.some((one) => one.language === language)) return;
  for (const one of tabs) {
    const isShown = one.language === language;
    one.panel.hidden = !isShown;
    one.tab.setAttribute('aria-selected', String(isShown));
    one.tab.tabIndex = isShown ? 0 : -1;
  }
}

for (const tabs of groups) {
  show(tabs, tabs[0].language);
  show(tabs, choice());
}

const menu = document.querySelector('.side details');
const wide = matchMedia('(min-width: 52.01rem)');
const open = () => {
  menu.open = wide.matches;
};
wide.addEventListener('change', open);
open();
