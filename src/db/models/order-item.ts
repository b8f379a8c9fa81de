import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `order_items`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineOrderItem(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'OrderItem',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      orderId: { type: 'BIGINT UNSIGNED', allowNull: false },
      position: { type: 'INT UNSIGNED', allowNull: false },
      name: { type: 'VARCHAR(1000)', allowNull: false },
      sku: { type: 'VARCHAR(255)', allowNull: true },
      variation: { type: 'VARCHAR(1000)', allowNull: true },
      quantity: { type: 'INT UNSIGNED', allowNull: false },
      total: { type: 'DECIMAL(14,2)', allowNull: true },
      isVirtual: { type: 'BOOLEAN', allowNull: false },
    },
    { tableName: 'order_items', timestamps: false, underscored: true },
  );
}
