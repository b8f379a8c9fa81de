import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `service_secrets`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineServiceSecret(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ServiceSecret',
    {
      name: { type: 'VARCHAR(64)', allowNull: false, primaryKey: true },
      secretHash: { type: 'BINARY(32)', allowNull: false },
      secretLast4: { type: 'CHAR(4)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'service_secrets', timestamps: false, underscored: true },
  );
}
