import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `rate_limits`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineRateLimit(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'RateLimit',
    {
      keyHash: { type: 'BINARY(32)', allowNull: false, primaryKey: true },
      windowStart: { type: 'INT UNSIGNED', allowNull: false, primaryKey: true },
      hits: { type: 'INT UNSIGNED', allowNull: false },
    },
    { tableName: 'rate_limits', timestamps: false, underscored: true },
  );
}
