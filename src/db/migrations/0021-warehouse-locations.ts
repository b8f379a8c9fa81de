const KEYS = ['warehouse_location', '_warehouse_location', 'shelf', '_shelf'];

/** The text of a JSON value that is a text or a number, else null. */
const told = (value: string) =>
  `IF(JSON_TYPE(${value}) IN ('STRING', 'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'),
     NULLIF(LEFT(TRIM(JSON_UNQUOTE(${value})), 255), ''), NULL)`;

const ofKey = (key: string) => told(`JSON_EXTRACT(o.meta_data, '$.${key}')`);

/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // What labels and lists need of `meta_data`, which may be as large as a request.
  'ALTER TABLE orders ADD COLUMN warehouse_location VARCHAR(255) NULL',
  `UPDATE orders o SET warehouse_location = COALESCE(${KEYS.map(ofKey).join(', ')}), updated_at = updated_at
   WHERE o.meta_data LIKE '{%' AND (o.meta_data LIKE '%warehouse_location%' OR o.meta_data LIKE '%shelf%')`,
  `UPDATE orders o SET updated_at = updated_at, warehouse_location = (
     SELECT ${told('m.value')} FROM JSON_TABLE(o.meta_data, '$[*]' COLUMNS (
       place FOR ORDINALITY, name VARCHAR(64) PATH '$.key', value JSON PATH '$.value')) m
     WHERE m.name IN ('${KEYS.join("', '")}') AND ${told('m.value')} IS NOT NULL
     ORDER BY m.place LIMIT 1)
   WHERE o.meta_data LIKE '[%' AND (o.meta_data LIKE '%warehouse_location%' OR o.meta_data LIKE '%shelf%')`,
];
