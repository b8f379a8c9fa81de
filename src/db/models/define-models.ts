import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { defineAccount } from './account.js';
import { defineBatch } from './batch.js';
import { defineBatchItem } from './batch-item.js';
import { defineBatchVolume } from './batch-volume.js';
import { defineCarrier } from './carrier.js';
import { defineCarrierAttempt } from './carrier-attempt.js';
import { defineCarrierLabel } from './carrier-label.js';
import { defineCompany } from './company.js';
import { defineExport } from './export.js';
import { defineIdempotencyKey } from './idempotency-key.js';
import { defineInboundEvent } from './inbound-event.js';
import { defineLabelSet } from './label-set.js';
import { defineLicense } from './license.js';
import { defineLicenseSettings } from './license-settings.js';
import { defineNotificationLog } from './notification-log.js';
import { defineNotificationSettings } from './notification-settings.js';
import { defineNotificationTemplate } from './notification-template.js';
import { defineOrder } from './order.js';
import { defineOrderItem } from './order-item.js';
import { definePersonalAccessToken } from './personal-access-token.js';
import { definePickupPoint } from './pickup-point.js';
import { definePickupPointCopy } from './pickup-point-copy.js';
import { defineRateLimit } from './rate-limit.js';
import { defineRecipient } from './recipient.js';
import { defineResponseLog } from './response-log.js';
import { defineServiceSecret } from './service-secret.js';
import { defineSettlementCopy } from './settlement-copy.js';
import { defineShipment } from './shipment.js';
import { defineShipmentCount } from './shipment-count.js';
import { defineShipmentEvent } from './shipment-event.js';
import { defineShippingStatus } from './shipping-status.js';
import { defineStoreSite } from './store-site.js';
import { defineUser } from './user.js';
import { defineWebhookAttempt } from './webhook-attempt.js';
import { defineWebhookDelivery } from './webhook-delivery.js';
import { defineWebhookSubscription } from './webhook-subscription.js';

/** Defines every model on the connection, one a table, and gives them. */
export function defineModels(sequelize: Sequelize): ModelStatic<Model>[] {
  return [
    defineCarrier(sequelize),
    defineCompany(sequelize),
    defineAccount(sequelize),
    defineUser(sequelize),
    defineLicense(sequelize),
    defineLicenseSettings(sequelize),
    defineShippingStatus(sequelize),
    defineOrder(sequelize),
    defineOrderItem(sequelize),
    defineShipment(sequelize),
    defineShipmentEvent(sequelize),
    defineShipmentCount(sequelize),
    defineIdempotencyKey(sequelize),
    defineCarrierAttempt(sequelize),
    defineBatchVolume(sequelize),
    defineRateLimit(sequelize),
    defineLabelSet(sequelize),
    defineCarrierLabel(sequelize),
    defineBatch(sequelize),
    defineBatchItem(sequelize),
    definePickupPointCopy(sequelize),
    definePickupPoint(sequelize),
    defineExport(sequelize),
    defineWebhookSubscription(sequelize),
    defineWebhookDelivery(sequelize),
    defineWebhookAttempt(sequelize),
    defineNotificationSettings(sequelize),
    defineNotificationTemplate(sequelize),
    defineNotificationLog(sequelize),
    defineInboundEvent(sequelize),
    defineSettlementCopy(sequelize),
    defineResponseLog(sequelize),
    defineServiceSecret(sequelize),
    defineStoreSite(sequelize),
    definePersonalAccessToken(sequelize),
    defineRecipient(sequelize),
  ];
}
