import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `export_parts`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineExportPart(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ExportPart',
    {
      exportId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      number: { type: 'INT UNSIGNED', allowNull: false, primaryKey: true },
      rowCount: { type: 'INT UNSIGNED', allowNull: false },
      lastCreatedAt: { type: 'DATETIME(6)', allowNull: false },
      lastShipmentId: { type: 'BIGINT UNSIGNED', allowNull: false },
      rawBytes: { type: 'INT UNSIGNED', allowNull: false },
      content: { type: 'MEDIUMBLOB', allowNull: false },
    },
    { tableName: 'export_parts', timestamps: false, underscored: true },
  );
}
