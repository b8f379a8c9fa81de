// While a parcel is under way the page asks for its state, and shows itself anew when that changes.
(function () {
  'use strict';
  const box = document.querySelector('.parcelworks-box');
  if (!box) return;
  const open = box.querySelector('[data-state="waiting"], [data-state="sent"]');
  // One click, one request: a second one would find the same parcel, and only make a person wait.
  const form = document.getElementById('parcelworks-act');
  if (form) {
    form.addEventListener('submit', function (event) {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = '1';
    });
    window.addEventListener('pageshow', function () {
      delete form.dataset.sent;
    });
  }
  if (!open) return;
  const before = open.dataset.state;
  let pause = 2000;
  function look() {
    window.wp.apiFetch({ path: '/parcelworks/v1/orders/' + box.dataset.order }).then(function (parcel) {
      if (parcel.state !== before) window.location.reload();
      else again();
    }, again);
  }
  function again() {
    pause = Math.min(pause * 1.5, 30000);
    setTimeout(look, pause);
  }
  again();
})();
