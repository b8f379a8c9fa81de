import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `carrier_labels`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineCarrierLabel(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'CarrierLabel',
    {
      uuid: { type: 'CHAR(36)', allowNull: false, primaryKey: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      shipmentId: { type: 'BIGINT UNSIGNED', allowNull: false },
      bytes: { type: 'INT UNSIGNED', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'carrier_labels', timestamps: false, underscored: true },
  );
}
