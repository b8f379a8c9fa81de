import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `accounts`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineAccount(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'Account',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      name: { type: 'VARCHAR(255)', allowNull: false },
      email: { type: 'VARCHAR(255)', allowNull: false },
      phone: { type: 'VARCHAR(32)', allowNull: false },
      locale: { type: 'VARCHAR(16)', allowNull: false },
      companyName: { type: 'VARCHAR(255)', allowNull: false },
      companyLogo: { type: 'VARCHAR(2048)', allowNull: false },
      companyColor: { type: 'VARCHAR(7)', allowNull: false },
      supportEmail: { type: 'VARCHAR(255)', allowNull: false },
      supportPhone: { type: 'VARCHAR(32)', allowNull: false },
      trackerPageContactInfo: { type: 'JSON', allowNull: true },
      enableApi: { type: 'BOOLEAN', allowNull: false },
      canUseCollectionPoints: { type: 'BOOLEAN', allowNull: false },
      enableSortByWarehouse: { type: 'BOOLEAN', allowNull: false },
      displayOrderProduct: { type: 'BOOLEAN', allowNull: false },
      displayProductPriceInOrderDetail: { type: 'BOOLEAN', allowNull: false },
      displayOrderNumberBarcode: { type: 'BOOLEAN', allowNull: false },
      labelMethod: { type: 'VARCHAR(32)', allowNull: false },
      labelType: { type: 'VARCHAR(32)', allowNull: false },
      clientId: { type: 'VARCHAR(64)', allowNull: false },
      clientSecretHash: { type: 'BINARY(32)', allowNull: false },
      clientSecretLast4: { type: 'CHAR(4)', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'accounts', timestamps: false, underscored: true },
  );
}
