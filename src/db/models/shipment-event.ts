import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `shipment_events`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineShipmentEvent(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ShipmentEvent',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      shipmentId: { type: 'BIGINT UNSIGNED', allowNull: false },
      code: { type: 'VARCHAR(32)', allowNull: false },
      description: { type: 'VARCHAR(500)', allowNull: false },
      occurredAt: { type: 'DATETIME(6)', allowNull: false },
      carrierCode: { type: 'VARCHAR(64)', allowNull: false },
      carrierDescription: { type: 'VARCHAR(500)', allowNull: true },
      location: { type: 'VARCHAR(255)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'shipment_events', timestamps: false, underscored: true },
  );
}
