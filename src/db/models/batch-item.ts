import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `batch_items`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineBatchItem(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'BatchItem',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      batchId: { type: 'BIGINT UNSIGNED', allowNull: false },
      position: { type: 'INT UNSIGNED', allowNull: false },
      status: { type: "ENUM('pending','created','failed')", allowNull: false },
      shipmentUuid: { type: 'CHAR(36)', allowNull: true },
      payload: { type: 'MEDIUMTEXT', allowNull: true },
      error: { type: 'JSON', allowNull: true },
      startedAt: { type: 'DATETIME(6)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'batch_items', timestamps: false, underscored: true },
  );
}
