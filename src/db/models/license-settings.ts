import type { Model, ModelStatic, Sequelize } from 'sequelize';

/** Defines the model of the table `license_settings`. Types are raw: Sequelize's own DATETIME would cut microseconds. */
export function defineLicenseSettings(sequelize: Sequelize): ModelStatic<Model> {
  return sequelize.define(
    'LicenseSettings',
    {
      id: { type: 'BIGINT UNSIGNED', allowNull: false, primaryKey: true, autoIncrement: true },
      licenseId: { type: 'BIGINT UNSIGNED', allowNull: false },
      providerId: { type: 'BIGINT UNSIGNED', allowNull: false },
      settings: { type: 'JSON', allowNull: false },
      secrets: { type: 'VARBINARY(8192)', allowNull: true },
      collectStreet: { type: 'VARCHAR(255)', allowNull: false },
      collectStreetNumber: { type: 'VARCHAR(32)', allowNull: false },
      collectCity: { type: 'VARCHAR(255)', allowNull: false },
      collectCompany: { type: 'VARCHAR(255)', allowNull: false },
      printProducts: { type: 'BOOLEAN', allowNull: false },
      printVariations: { type: 'BOOLEAN', allowNull: false },
      printCustomerDetailSkuAndQuantityBoldInLabel: { type: 'BOOLEAN', allowNull: false },
      printProductsOnLabelNotes: { type: 'BOOLEAN', allowNull: false },
      printProductsOnA4LabelNotes: { type: 'BOOLEAN', allowNull: false },
      printProductsName: { type: 'BOOLEAN', allowNull: false },
      printProductsSku: { type: 'BOOLEAN', allowNull: false },
      printVirtualProductOnNote: { type: 'BOOLEAN', allowNull: false },
      enableCod: { type: 'BOOLEAN', allowNull: false },
      separateStreetAndNumber: { type: 'BOOLEAN', allowNull: false },
      getStreetNumberWithSuffix: { type: 'BOOLEAN', allowNull: false },
      displayShippingLineNumber: { type: 'BOOLEAN', allowNull: false },
      sendNoteOnOrder: { type: 'BOOLEAN', allowNull: false },
      labelMethod: { type: 'VARCHAR(32)', allowNull: false },
      labelType: { type: 'VARCHAR(32)', allowNull: false },
      orderPrefix: { type: 'VARCHAR(64)', allowNull: false },
      createdAt: { type: 'DATETIME(6)', allowNull: false },
      updatedAt: { type: 'DATETIME(6)', allowNull: false },
    },
    { tableName: 'license_settings', timestamps: false, underscored: true },
  );
}
