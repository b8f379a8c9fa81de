import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `label_sets`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineLabelSet(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'LabelSet',
    {
      uuid: { type: 'CHAR(36)', allowNull: false, primaryKey: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      contentHash: { type: 'BINARY(32)', allowNull: false },
      shipmentIds: { type: 'JSON', allowNull: false },
      labelType: { type: 'VARCHAR(16)', allowNull: true },
      startPosition: { type: 'TINYINT UNSIGNED', allowNull: false },
      warehouseSort: { type: "ENUM('asc','desc','none')", allowNull: true },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'label_sets', timestamps: false, underscored: true },
  );
}
