import { Type } from 'typebox';

/** Fields of a destination. */
export const city = Type.String({
  maxLength: 255,
  description: 'City of the recipient.',
  examples: ['תל אביב-יפו'],
});
export const street = Type.String({
  maxLength: 255,
  description: 'Street of the recipient, without the number.',
  examples: ['הרצל'],
});
