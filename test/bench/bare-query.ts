/** An account's newest 25 shipments; its id is the parameter. Joined at once, MariaDB would sort all of them. */
export const bareListQuery = `SELECT s.*, r.name AS carrier_name, o.order_id AS store_order_id, o.number AS order_number
  FROM (SELECT id FROM shipments FORCE INDEX (shipments_created) WHERE account_id = ? AND state = 'created'
        ORDER BY created_at DESC, id DESC LIMIT 25) page
  STRAIGHT_JOIN shipments s ON s.id = page.id
  JOIN carriers r ON r.id = s.carrier_id
  JOIN orders o ON o.id = s.order_id
  ORDER BY s.created_at DESC, s.id DESC`;
