// What the pages do with script beside htmx; without it every page still works.
document.addEventListener('change', ({ target }) => {
  const pickup = document.getElementById('pickup');
  if (!(target instanceof HTMLSelectElement) || target.id !== 'point') return;
  if (pickup instanceof HTMLInputElement) pickup.value = target.value;
});
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.all === undefined) return;
  for (const box of document.getElementsByName(target.dataset.all)) box.checked = target.checked;
});
