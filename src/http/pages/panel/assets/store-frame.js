/**
 * The plugin names the orders of a click behind the `#` of the address, which browsers keep to themselves: asks for the
 * page that shows them.
 */
function follow() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  if (path !== '/orders' || query === '') return;
  const wanted = new URLSearchParams(location.search);
  wanted.delete('page');
  wanted.delete('q');
  wanted.delete('select_ids');
  for (const id of new URLSearchParams(query).getAll('select_ids')) wanted.append('select_ids', id);
  location.replace(`${location.pathname}?${wanted}`);
}

addEventListener('hashchange', follow);
follow();

for (const all of document.querySelectorAll('input[data-all]')) {
  all.addEventListener('change', () => {
    for (const one of document.querySelectorAll(`input[name="${all.dataset.all}"]`))
      one.checked = all.checked;
  });
}
