import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `notification_logs`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineNotificationLog(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'NotificationLog',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      shipmentId: { type: 'BIGINT UNSIGNED', allowNull: false },
      event: { type: 'VARCHAR(64)', allowNull: false },
      eventId: { type: 'CHAR(36)', allowNull: false },
      data: { type: 'JSON', allowNull: false },
      recipient: { type: 'VARCHAR(255)', allowNull: true },
      templateId: { type: 'BIGINT UNSIGNED', allowNull: true },
      subject: { type: 'VARCHAR(500)', allowNull: true },
      status: { type: "ENUM('pending','sent','failed','skipped')", allowNull: false },
      attempts: { type: 'INT UNSIGNED', allowNull: false },
      nextAttemptAt: { type: 'DATETIME(6)', allowNull: true },
      sendingSince: { type: 'DATETIME(6)', allowNull: true },
      lastError: { type: 'VARCHAR(500)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      sentAt: { type: 'DATETIME(6)', allowNull: true },
    },
    { tableName: 'notification_logs', timestamps: false, underscored: true },
  );
}
