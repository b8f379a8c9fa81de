import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `shipment_counts`. Types are raw, as the database names them. */
export function defineShipmentCount(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ShipmentCount',
    {
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      statusCode: { type: 'VARCHAR(32)', allowNull: false, primaryKey: true },
      serviceType: { type: 'TINYINT UNSIGNED', allowNull: false, primaryKey: true },
      slot: { type: 'TINYINT UNSIGNED', allowNull: false, primaryKey: true },
      total: { type: 'BIGINT', allowNull: false },
    },
    { tableName: 'shipment_counts', timestamps: false, underscored: true },
  );
}
