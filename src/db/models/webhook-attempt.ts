import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `webhook_attempts`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineWebhookAttempt(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'WebhookAttempt',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      deliveryId: { type: 'BIGINT UNSIGNED', allowNull: false },
      number: { type: 'INT UNSIGNED', allowNull: false },
      state: { type: "ENUM('sending','succeeded','failed','unknown')", allowNull: false },
      startedAt: { type: 'DATETIME(6)', allowNull: false },
      durationMs: { type: 'INT UNSIGNED', allowNull: true },
      responseStatus: { type: 'SMALLINT UNSIGNED', allowNull: true },
      responseBody: { type: 'TEXT', allowNull: true },
      error: { type: 'VARCHAR(500)', allowNull: true },
    },
    { tableName: 'webhook_attempts', timestamps: false, underscored: true },
  );
}
