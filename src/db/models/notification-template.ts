import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `notification_templates`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineNotificationTemplate(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'NotificationTemplate',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      event: { type: 'VARCHAR(64)', allowNull: false },
      locale: { type: 'VARCHAR(16)', allowNull: false },
      subject: { type: 'VARCHAR(255)', allowNull: false },
      body: { type: 'MEDIUMTEXT', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'notification_templates', timestamps: false, underscored: true },
  );
}
