/** The merchant's own couriers have no license settings. */
export const independentSettings = {
  type: 'object',
  additionalProperties: false,
  properties: {},
};
