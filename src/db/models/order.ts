import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `orders`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineOrder(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Order',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      orderId: { type: 'VARCHAR(191)', allowNull: false },
      number: { type: 'VARCHAR(255)', allowNull: false },
      status: { type: 'VARCHAR(64)', allowNull: true },
      source: { type: 'VARCHAR(64)', allowNull: false },
      total: { type: 'DECIMAL(14,2)', allowNull: false },
      currency: { type: 'CHAR(3)', allowNull: false },
      externalId: { type: 'VARCHAR(191)', allowNull: true },
      billing: { type: 'JSON', allowNull: false },
      shipping: { type: 'JSON', allowNull: false },
      metaData: { type: 'JSON', allowNull: true },
      warehouseLocation: { type: 'VARCHAR(255)', allowNull: true },
      storeSiteId: { type: 'BIGINT UNSIGNED', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'orders', timestamps: false, underscored: true },
  );
}
