import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `carrier_attempts`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineCarrierAttempt(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'CarrierAttempt',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      shipmentUuid: { type: 'CHAR(36)', allowNull: false },
      operation: { type: 'VARCHAR(16)', allowNull: false },
      number: { type: 'INT UNSIGNED', allowNull: false },
      state: { type: "ENUM('sending','accepted','rejected','not_sent','unknown')", allowNull: false },
      outcomeCode: { type: 'VARCHAR(64)', allowNull: true },
      outcomeText: { type: 'VARCHAR(1000)', allowNull: true },
      sentAt: { type: 'DATETIME(6)', allowNull: false },
      answeredAt: { type: 'DATETIME(6)', allowNull: true },
      accountIdentity: { type: 'CHAR(27)', allowNull: true },
    },
    { tableName: 'carrier_attempts', timestamps: false, underscored: true },
  );
}
