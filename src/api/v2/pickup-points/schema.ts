import { Type } from 'typebox';
import { closedObject } from '../../schemas.js';
import { carrierOf, licenseKeyQuery } from '../schemas.js';

const degrees = (max: number, description: string) =>
  Type.Optional(Type.Number({ minimum: -max, maximum: max, description }));

const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

export const ListPickupPointsQuery = Type.Object({
  license_key: licenseKeyQuery,
  city: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      description:
        'Only points in this city, whatever of its names is written: case, accents, quotation marks, hyphens, blanks ' +
        'and doubled yod or vav do not count, and `Tel Aviv` and `תל אביב` find `תל אביב-יפו`. Whole names only.',
      examples: ['Haifa'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Maximum number of points.' }),
  ),
  latitude: degrees(90, 'With `longitude`: nearest points first. Degrees.'),
  longitude: degrees(180, 'With `latitude`: nearest points first. Degrees.'),
});

export const PickupPointSchema = closedObject('PickupPoint', 'A place where recipients fetch parcels.', {
  id: Type.String({ description: 'The value of `ship_data.pickup`.' }),
  name: Type.String({ description: 'Name of the place.' }),
  city: Type.String({ description: 'City.' }),
  street: Type.String({ description: 'Street, without the house number.' }),
  number: Type.String({ description: 'House number.' }),
  latitude: nullableNumber('Degrees; null where the carrier gives none.'),
  longitude: nullableNumber('Degrees; null where the carrier gives none.'),
  remarks: Type.String({ description: "Opening hours and the like, in the carrier's words." }),
  carrier: carrierOf('PickupPointCarrier', 'The carrier whose point it is.'),
  distance_km: nullableNumber('Distance in a straight line; null without coordinates in the query.'),
});
