// What the pages do with script beside htmx; without it every page still works.
document.addEventListener('change', ({ target }) => {
  const pickup = document.getElementById('pickup');
  if (!(target instanceof HTMLSelectElement) || target.id !== 'point') return;
  if (pickup instanceof HTMLInputElement) pickup.value = target.value;
});
