import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `licenses`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineLicense(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'License',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      companyId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseKey: { type: 'VARCHAR(255)', allowNull: false },
      name: { type: 'VARCHAR(255)', allowNull: false },
      commitmentDay: { type: 'INT', allowNull: false },
      multipleShipment: { type: 'BOOLEAN', allowNull: false },
      isActive: { type: 'BOOLEAN', allowNull: false },
      expiresAt: { type: 'DATETIME(6)', allowNull: true },
      domain: { type: 'VARCHAR(255)', allowNull: true },
      startedAt: { type: 'DATETIME(6)', allowNull: true },
      blockedStatuses: { type: 'JSON', allowNull: true },
      inboundGeneration: { type: 'INT UNSIGNED', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'licenses', timestamps: false, underscored: true },
  );
}
