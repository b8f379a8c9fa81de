import { Type } from 'typebox';

/** Where a parcel would go. */
export const city = Type.String({ maxLength: 255, examples: ['תל אביב-יפו'] });
export const street = Type.String({ maxLength: 255, examples: ['הרצל'] });
