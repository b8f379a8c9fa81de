import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `notification_settings`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineNotificationSettings(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'NotificationSettings',
    {
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      enabled: { type: 'BOOLEAN', allowNull: false },
      events: { type: 'JSON', allowNull: false },
      fromName: { type: 'VARCHAR(100)', allowNull: true },
      replyTo: { type: 'VARCHAR(255)', allowNull: true },
      mailsOn: { type: 'DATE', allowNull: true },
      mailsBegun: { type: 'INT UNSIGNED', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'notification_settings', timestamps: false, underscored: true },
  );
}
