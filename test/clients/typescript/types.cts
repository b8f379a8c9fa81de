import { type Answer, Parcelworks, type Shipment } from 'parcelworks';

/** Compiled as CommonJS, never run. */
const parcels = new Parcelworks({ baseUrl: 'https://parcels.test', clientId: 'ci', clientSecret: 'sk' });
const read: Promise<Answer<{ data: Shipment }>> = parcels.getShipment('uuid');
// @ts-expect-error the parcel is not named
void [read, parcels.getShipment()];
