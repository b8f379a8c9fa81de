import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `exports`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineExport(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Export',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      inFlightLicenseId: { type: 'BIGINT UNSIGNED', allowNull: true },
      type: { type: 'VARCHAR(32)', allowNull: false },
      platform: { type: 'VARCHAR(32)', allowNull: false },
      format: { type: "ENUM('csv','xlsx')", allowNull: false },
      filter: { type: 'JSON', allowNull: false },
      status: { type: "ENUM('pending','processing','completed','failed')", allowNull: false },
      rowCount: { type: 'INT UNSIGNED', allowNull: true },
      filename: { type: 'VARCHAR(255)', allowNull: true },
      fileUuid: { type: 'CHAR(36)', allowNull: true },
      fileExpiresAt: { type: 'DATETIME(6)', allowNull: true },
      mailedAt: { type: 'DATETIME(6)', allowNull: true },
      error: { type: 'VARCHAR(500)', allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'exports', timestamps: false, underscored: true },
  );
}
