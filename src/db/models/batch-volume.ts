import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `batch_volumes`. */
export function defineBatchVolume(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'BatchVolume',
    {
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      storedOn: { type: 'DATE', allowNull: false },
      bytes: { type: 'BIGINT UNSIGNED', allowNull: false },
    },
    { tableName: 'batch_volumes', timestamps: false, underscored: true },
  );
}
