import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of `webhook_subscriptions`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineWebhookSubscription(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'WebhookSubscription',
    {
      id: { type: 'CHAR(36)', allowNull: false, primaryKey: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: true },
      storeSiteId: { type: 'BIGINT UNSIGNED', allowNull: true },
      url: { type: 'VARCHAR(2048)', allowNull: false },
      events: { type: 'JSON', allowNull: false },
      isActive: { type: 'BOOLEAN', allowNull: false },
      secret: { type: 'VARBINARY(255)', allowNull: false },
      previousSecret: { type: 'VARBINARY(255)', allowNull: true },
      previousSecretUntil: { type: 'DATETIME(6)', allowNull: true },
      failingSince: { type: 'DATETIME(6)', allowNull: true },
      disabledReason: { type: 'VARCHAR(32)', allowNull: true },
      ownerToldAt: { type: 'DATETIME(6)', allowNull: true },
      deletedAt: { type: 'DATETIME(6)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'webhook_subscriptions', timestamps: false, underscored: true },
  );
}
