import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `settlement_copies`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineSettlementCopy(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'SettlementCopy',
    {
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      settlements: { type: 'JSON', allowNull: false },
      refreshedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'settlement_copies', timestamps: false, underscored: true },
  );
}
