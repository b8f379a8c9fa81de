import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `shipping_statuses`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineShippingStatus(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ShippingStatus',
    {
      code: { type: 'VARCHAR(32)', allowNull: false, primaryKey: true },
      name: { type: 'VARCHAR(255)', allowNull: false },
      rank: { type: 'INT', allowNull: false },
      isDelivered: { type: 'BOOLEAN', allowNull: false },
      isFinal: { type: 'BOOLEAN', allowNull: false },
    },
    { tableName: 'shipping_statuses', timestamps: false, underscored: true },
  );
}
