import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `idempotency_keys`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineIdempotencyKey(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'IdempotencyKey',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      api: { type: 'VARCHAR(8)', allowNull: false },
      keyHash: { type: 'BINARY(32)', allowNull: false },
      fingerprint: { type: 'BINARY(32)', allowNull: false },
      shipmentUuid: { type: 'CHAR(36)', allowNull: false },
      responseStatus: { type: 'SMALLINT UNSIGNED', allowNull: true },
      responseBody: { type: 'MEDIUMTEXT', allowNull: true },
      finishedAt: { type: 'DATETIME(6)', allowNull: true },
      expiresAt: { type: 'DATETIME(6)', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'idempotency_keys', timestamps: false, underscored: true },
  );
}
