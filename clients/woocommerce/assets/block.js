// The list of pickup points in the block check-out. Without points, or without an answer, nothing stops the purchase.
(function () {
  'use strict';
  const settings = window.parcelworksPoints;
  const Slot = window.wc?.blocksCheckout?.ExperimentalOrderShippingPackages;
  if (!settings || !Slot) return;
  const element = window.wp.element;
  const data = window.wp.data;

  function chosenRate(cart) {
    const packages = cart.getShippingRates();
    for (const one of packages)
      for (const rate of one.shipping_rates)
        if (rate.selected && settings.rates.includes(rate.rate_id)) return rate.rate_id;
    return null;
  }

  function keep(value) {
    const checkout = data.dispatch('wc/store/checkout');
    // WooCommerce has renamed it.
    (checkout.setExtensionData ?? checkout.__internalSetExtensionData)('parcelworks', { point: value });
  }

  function Chooser() {
    const state = data.useSelect(function (select) {
      const cart = select('wc/store/cart');
      return { rate: chosenRate(cart), city: cart.getCustomerData().shippingAddress.city };
    });
    const list = element.useState(null);
    const chosen = element.useState('');
    const shown = element.useRef('');
    function choose(value) {
      chosen[1](value);
      keep(value);
    }
    element.useEffect(
      function () {
        if (!state.rate || !state.city) return;
        // Points of another town, or of another courier, are no longer meant.
        const asked = `${state.rate}|${state.city}`;
        if (shown.current !== asked) {
          shown.current = asked;
          list[1](null);
          if (chosen[0]) choose('');
        }
        const path = `/parcelworks/v1/points?rate=${encodeURIComponent(state.rate)}&city=${encodeURIComponent(state.city)}`;
        // A town is typed letter by letter; an answer about half of it must not come last.
        let isMeant = true;
        const take = (points) => {
          if (isMeant) list[1](points);
        };
        const pause = setTimeout(() => {
          window.wp.apiFetch({ path }).then(take, () => take([]));
        }, 600);
        return () => {
          isMeant = false;
          clearTimeout(pause);
        };
      },
      [state.rate, state.city],
    );
    if (!state.rate || list[0] === null) return null;
    if (list[0].length === 0) return element.createElement('p', null, settings.later);
    const options = [{ value: '', words: settings.choose }].concat(list[0]).map(function (point) {
      return element.createElement('option', { key: point.value, value: point.value }, point.words);
    });
    return element.createElement(
      'select',
      {
        'aria-label': settings.label,
        // The check-out's parts grow with what is in them; a long name must not push them off a phone.
        style: { width: 0, minWidth: '100%' },
        value: chosen[0],
        onChange: function (event) {
          choose(event.target.value);
        },
      },
      options,
    );
  }

  window.wp.plugins.registerPlugin('parcelworks', {
    scope: 'woocommerce-checkout',
    render: function () {
      return element.createElement(Slot, null, element.createElement(Chooser));
    },
  });
})();
