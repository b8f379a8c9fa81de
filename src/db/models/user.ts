import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `users`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineUser(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'User',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      name: { type: 'VARCHAR(255)', allowNull: false },
      email: { type: 'VARCHAR(255)', allowNull: false },
      passwordHash: { type: 'VARCHAR(255)', allowNull: true },
      rememberToken: { type: 'VARCHAR(100)', allowNull: true },
      isPremium: { type: 'BOOLEAN', allowNull: false },
      premiumUntil: { type: 'DATETIME(6)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'users', timestamps: false, underscored: true },
  );
}
