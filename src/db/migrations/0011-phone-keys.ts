/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
const DIGITS = `REGEXP_REPLACE(recipient_phone, '[^0-9]', '')`;

/** Gives shipments from before the recipient app the key of their phone, as `phoneKey` in src/domain/phone.ts makes it of a single number in ASCII. */
export const statements: readonly string[] = [
  `UPDATE shipments
   SET recipient_phone_key = IF(${DIGITS} REGEXP '^(00)?972[0-9]+$',
         CONCAT('0', REGEXP_REPLACE(${DIGITS}, '^(00)?9720?', '')), ${DIGITS}),
       updated_at = updated_at
   WHERE recipient_phone_key = ''`,
];
