import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `recipients`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineRecipient(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Recipient',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      name: { type: 'VARCHAR(255)', allowNull: false },
      phone: { type: 'VARCHAR(255)', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'recipients', timestamps: false, underscored: true },
  );
}
