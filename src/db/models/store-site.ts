import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `store_sites`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineStoreSite(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'StoreSite',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: true },
      platform: { type: 'VARCHAR(32)', allowNull: false },
      domain: { type: 'VARCHAR(255)', allowNull: false },
      callbackUrl: { type: 'VARCHAR(2048)', allowNull: true },
      isActive: { type: 'BOOLEAN', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'store_sites', timestamps: false, underscored: true },
  );
}
