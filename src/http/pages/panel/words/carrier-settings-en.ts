import type { SettingName } from '../../../../carriers/setting-names.js';

/** The labels of carriers' settings; what each means is the carrier's own text. */
const labels: Record<SettingName, string> = {
  base_url: 'Address of the server',
  customer_number: 'Customer number',
  shipment_type: 'Kind of a delivery (P3)',
  pickup_shipment_type: 'Kind of a delivery to a point (P3)',
  cod_shipment_type: 'Kind of a delivery with cash (P3)',
  cod_type: 'How cash is collected',
  stage: 'Stage of a new parcel (P4)',
  cargo_type_out: 'Kind of package on the way out (P7)',
  cargo_type_back: 'Kind of package on the way back (P8)',
  request_charset: 'Characters of what is sent',
  statuses: 'Meanings of statuses',
  timeout_ms: 'Milliseconds to wait for an answer',
  token: 'Password or token',
  customer_code: 'Customer number',
  box_customer_code: 'Customer number for box points',
  collection_customer_code: 'Customer number for collections',
  sender_phone: 'Phone of the sender',
  label_format: 'How labels are sent',
  label_sheet: 'Sheet of labels',
  label_position: 'Place on the sheet',
  company_id: 'Company number',
  key: 'Key of the API',
  api_key_header: 'Send the token as X-API-Key too',
  package_size: 'Size of parcels',
  time_range: 'Window of deliveries',
  in_route: 'Meaning of IN_ROUTE',
  collect_phone: 'Phone where parcels are collected',
  venue_id: 'Venue',
  time_type: 'When the courier comes',
  min_preparation_time_minutes: 'Minutes until a parcel is ready',
  time_slot: 'Time of arrival',
  opening_time: 'Express delivery from',
  closing_time: 'Express delivery until',
  price_type: 'Price for shoppers',
  fix_price: 'Fixed price',
  markup_price: 'Addition to the price',
  support_email: 'E-mail for recipients and couriers',
  support_phone: 'Phone for recipients and couriers',
  merchant_key: 'Key of the API',
  webhook_secret: 'Secret of the webhooks',
};

/** Texts of carriers' settings in English. */
export const carrierSettingsEn: {
  carrierSettings: {
    labels: Record<SettingName, string>;
    /** The meaning of each; null where the carrier's own text says it. */
    meanings: Record<SettingName, string> | null;
    form: Record<'oneOf' | 'range' | 'least' | 'like', string>;
  };
} = {
  carrierSettings: {
    labels,
    meanings: null,
    form: {
      oneOf: 'One of {choices}.',
      range: 'From {least} to {most}.',
      least: '{least} or more.',
      like: 'Like {example}.',
    },
  },
};
