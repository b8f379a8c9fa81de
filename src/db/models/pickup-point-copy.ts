import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `pickup_point_copies`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function definePickupPointCopy(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'PickupPointCopy',
    {
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      accountId: { type: 'BIGINT UNSIGNED', allowNull: false },
      carrierId: { type: 'BIGINT UNSIGNED', allowNull: false },
      generation: { type: 'INT UNSIGNED', allowNull: false },
      points: { type: 'INT UNSIGNED', allowNull: false },
      refreshedAt: { type: 'DATETIME(6)', allowNull: false },
      askedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'pickup_point_copies', timestamps: false, underscored: true },
  );
}
