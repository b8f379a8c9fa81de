import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `response_logs`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineResponseLog(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ResponseLog',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: true },
      route: { type: 'VARCHAR(128)', allowNull: false },
      status: { type: 'SMALLINT UNSIGNED', allowNull: false },
      body: { type: 'MEDIUMTEXT', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'response_logs', timestamps: false, underscored: true },
  );
}
