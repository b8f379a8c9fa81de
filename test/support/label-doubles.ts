import type { Database } from '../../src/db/database.js';
import { listLabelSources } from '../../src/db/queries/label-sources.js';
import { AppError, notFound, validationError } from '../../src/domain/errors.js';
import type { LabelServices } from '../../src/services/label-services.js';

const ADDRESS = 'https://api.parcels.test/shipping/label/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211';
const PDF = { name: 'label-74100231.pdf', body: Buffer.from('%PDF-1.4\n%%EOF\n'), etag: 'one' };

/** Label services that print nothing, for tests of the HTTP layer. A tracking code may name an error to answer. */
export function labelDoubles(db: Database): LabelServices {
  const find = async (request: { accountId: number; uuid: string }) => {
    const [source] = await listLabelSources(db, { accountId: request.accountId, uuids: [request.uuid] });
    if (source === undefined) throw notFound('shipment');
    const code = source.shipment.trackingCode;
    if (code === 'carrier_rejected' || code === 'service_unavailable') throw new AppError(code, 'Refused.');
  };
  return {
    async ofShipment(request) {
      await find(request);
      return { url: ADDRESS, labelType: 'thermal', source: 'builtin' };
    },
    async urlOfShipment(request) {
      try {
        await find(request);
      } catch (error) {
        if (error instanceof AppError && error.code === 'carrier_rejected') return null;
        throw error;
      }
      return ADDRESS;
    },
    async pdfOfShipment(request) {
      await find(request);
      return PDF;
    },
    async ofSet({ accountId, licenseId, shipments }) {
      const ofLicense = licenseId === undefined ? {} : { licenseId };
      const sources = await listLabelSources(db, { accountId, uuids: shipments, ...ofLicense });
      if (sources.length < shipments.length) {
        throw validationError({ 'shipments.0': ['The shipments.0 field names no shipment of the license.'] });
      }
      return { url: ADDRESS, count: sources.length };
    },
    printed: async () => PDF,
    html: async () => ({ body: Buffer.from('<!doctype html>'), etag: 'one' }),
    stored: async () => PDF,
  };
}
