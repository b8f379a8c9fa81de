import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `batches`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineBatch(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Batch',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      uuid: { type: 'CHAR(36)', allowNull: false },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseKey: { type: 'VARCHAR(255)', allowNull: false },
      licenseNamed: { type: 'BOOLEAN', allowNull: false },
      total: { type: 'INT UNSIGNED', allowNull: false },
      pendingCount: { type: 'INT UNSIGNED', allowNull: false },
      createdCount: { type: 'INT UNSIGNED', allowNull: false },
      failedCount: { type: 'INT UNSIGNED', allowNull: false },
      payloadBytes: { type: 'INT UNSIGNED', allowNull: false },
      cancelledAt: { type: 'DATETIME(6)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'batches', timestamps: false, underscored: true },
  );
}
