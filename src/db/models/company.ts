import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `companies`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineCompany(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Company',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      carrierId: { type: 'BIGINT UNSIGNED', allowNull: false },
      name: { type: 'VARCHAR(255)', allowNull: false },
      isPremium: { type: 'BOOLEAN', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'companies', timestamps: false, underscored: true },
  );
}
