// The list of pickup points in the block check-out. Without points, or without an answer, nothing stops the purchase.
(function () {
  'use strict';
  var settings = window.parcelworksPoints;
  var Slot = window.wc?.blocksCheckout?.ExperimentalOrderShippingPackages;
  if (!settings || !Slot) return;
  var element = window.wp.element;
  var data = window.wp.data;

  function chosenRate(cart) {
    var packages = cart.getShippingRates();
    for (var one of packages)
      for (var rate of one.shipping_rates)
        if (rate.selected && settings.rates.includes(rate.rate_id)) return rate.rate_id;
    return null;
  }

  function keep(value) {
    var checkout = data.dispatch('wc/store/checkout');
    // WooCommerce has renamed it.
    (checkout.setExtensionData ?? checkout.__internalSetExtensionData)('parcelworks', { point: value });
  }

  function Chooser() {
    var state = data.useSelect(function (select) {
      var cart = select('wc/store/cart');
      return { rate: chosenRate(cart), city: cart.getCustomerData().shippingAddress.city };
    });
    var list = element.useState(null);
    var chosen = element.useState('');
    element.useEffect(
      function () {
        if (!state.rate || !state.city) return;
        var path = `/parcelworks/v1/points?rate=${encodeURIComponent(state.rate)}&city=${encodeURIComponent(state.city)}`;
        window.wp.apiFetch({ path: path }).then(list[1], function () {
          list[1]([]);
        });
      },
      [state.rate, state.city],
    );
    if (!state.rate || list[0] === null) return null;
    if (list[0].length === 0) return element.createElement('p', null, settings.later);
    var options = [{ value: '', words: settings.choose }].concat(list[0]).map(function (point) {
      return element.createElement('option', { key: point.value, value: point.value }, point.words);
    });
    return element.createElement(
      'select',
      {
        'aria-label': settings.label,
        style: { maxWidth: '100%' },
        value: chosen[0],
        onChange: function (event) {
          chosen[1](event.target.value);
          keep(event.target.value);
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
