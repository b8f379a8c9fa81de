import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `inbound_events`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineInboundEvent(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'InboundEvent',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      eventKey: { type: 'BINARY(32)', allowNull: false },
      parcel: { type: 'VARCHAR(64)', allowNull: false },
      trackingCode: { type: 'VARCHAR(64)', allowNull: true },
      reference: { type: 'CHAR(36)', allowNull: true },
      code: { type: 'VARCHAR(32)', allowNull: true },
      carrierCode: { type: 'VARCHAR(64)', allowNull: false },
      carrierDescription: { type: 'VARCHAR(500)', allowNull: false },
      occurredAt: { type: 'DATETIME(6)', allowNull: false },
      location: { type: 'VARCHAR(255)', allowNull: true },
      isCurrent: { type: 'BOOLEAN', allowNull: false },
      state: { type: "ENUM('waiting','applied','ignored')", allowNull: false },
      reason: { type: 'VARCHAR(32)', allowNull: true },
      shipmentId: { type: 'BIGINT UNSIGNED', allowNull: true },
      attempts: { type: 'INT UNSIGNED', allowNull: false },
      nextTryAt: { type: 'DATETIME(6)', allowNull: true },
      receivedAt: { type: 'DATETIME(6)', allowNull: false },
      finishedAt: { type: 'DATETIME(6)', allowNull: true },
    },
    { tableName: 'inbound_events', timestamps: false, underscored: true },
  );
}
