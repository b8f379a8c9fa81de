import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of `webhook_deliveries`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineWebhookDelivery(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'WebhookDelivery',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      uuid: { type: 'CHAR(36)', allowNull: false },
      subscriptionId: { type: 'CHAR(36)', allowNull: false },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      shipmentId: { type: 'BIGINT UNSIGNED', allowNull: true },
      event: { type: 'VARCHAR(64)', allowNull: false },
      eventId: { type: 'CHAR(36)', allowNull: false },
      payload: { type: 'TEXT', allowNull: false },
      status: { type: "ENUM('pending','succeeded','failed')", allowNull: false },
      attempts: { type: 'INT UNSIGNED', allowNull: false },
      attemptsAllowed: { type: 'INT UNSIGNED', allowNull: false },
      nextAttemptAt: { type: 'DATETIME(6)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      completedAt: { type: 'DATETIME(6)', allowNull: true },
    },
    { tableName: 'webhook_deliveries', timestamps: false, underscored: true },
  );
}
