import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `export_mails`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineExportMail(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'ExportMail',
    {
      exportId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      number: { type: 'INT UNSIGNED', allowNull: false, primaryKey: true },
      firstPart: { type: 'INT UNSIGNED', allowNull: false },
      lastPart: { type: 'INT UNSIGNED', allowNull: false },
      mailedAt: { type: 'DATETIME(6)', allowNull: true },
    },
    { tableName: 'export_mails', timestamps: false, underscored: true },
  );
}
