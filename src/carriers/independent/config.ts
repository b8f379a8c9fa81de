/** License settings of the merchant's own couriers: there are none. */
export const independentSettings = {
  type: 'object',
  additionalProperties: false,
  properties: {},
};
