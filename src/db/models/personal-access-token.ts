import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `personal_access_tokens`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function definePersonalAccessToken(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'PersonalAccessToken',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      userId: { type: 'BIGINT UNSIGNED', allowNull: true },
      recipientId: { type: 'BIGINT UNSIGNED', allowNull: true },
      name: { type: 'VARCHAR(255)', allowNull: false },
      tokenHash: { type: 'BINARY(32)', allowNull: false },
      lastUsedAt: { type: 'DATETIME(6)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'personal_access_tokens', timestamps: false, underscored: true },
  );
}
