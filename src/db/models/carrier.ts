import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `carriers`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineCarrier(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Carrier',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      provider: { type: 'VARCHAR(64)', allowNull: false },
      name: { type: 'VARCHAR(255)', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'carriers', timestamps: false, underscored: true },
  );
}
