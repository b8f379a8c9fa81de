import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `pickup_points`. */
export function definePickupPoint(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'PickupPoint',
    {
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true },
      pointId: { type: 'VARCHAR(64)', allowNull: false, primaryKey: true },
      generation: { type: 'INT UNSIGNED', allowNull: false },
      name: { type: 'VARCHAR(255)', allowNull: false },
      city: { type: 'VARCHAR(255)', allowNull: false },
      cityKey: { type: 'VARCHAR(255)', allowNull: false },
      street: { type: 'VARCHAR(255)', allowNull: false },
      number: { type: 'VARCHAR(32)', allowNull: false },
      streetCode: { type: 'VARCHAR(32)', allowNull: false },
      latitude: { type: 'DECIMAL(9,6)', allowNull: true },
      longitude: { type: 'DECIMAL(9,6)', allowNull: true },
      remarks: { type: 'VARCHAR(1000)', allowNull: false },
    },
    { tableName: 'pickup_points', timestamps: false, underscored: true },
  );
}
