#!/usr/bin/env bash
# Believed: a condition of Sequelize's `where` may have an expression for its value, as the values of an
#   UPDATE may: { id: literal('LAST_INSERT_ID()') } is `id` = LAST_INSERT_ID().
# So it is: the column is dropped without a word and the literal is the whole condition. WHERE
#   LAST_INSERT_ID() is true of every row once anything was inserted, so that the UPDATE meets the whole
#   table. col() and cast() lose their column too. fn() is refused in an UPDATE with an error. The same
#   literal behind an operator, { id: { [Op.eq]: literal(…) } }, keeps the column.
# Where it bites: one statement changes every row of a table, and its model and a test with one row in the
#   table say nothing.
# Versions: sequelize 6.37.8 with dialect mysql (no server is asked), Node 20.20.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund sequelize@6.37.8 mysql2@3.24.5 >/dev/null

cat > check.cjs <<'JS'
const assert = require('node:assert');
const { Sequelize, Transaction, Op, literal, fn, col, cast } = require('sequelize');
const sequelize = new Sequelize({ dialect: 'mysql', logging: false });
const type = 'BIGINT UNSIGNED';
const Order = sequelize.define('order', { id: { type, primaryKey: true }, other: { type }, state: { type: 'VARCHAR(9)' } },
  { tableName: 'orders', timestamps: false });
// A connection that keeps the statement in place of a server.
const statementOf = async (where) => {
  const transaction = new Transaction(sequelize, {});
  let sent;
  const keep = (sql, done) => { sent = sql; done(null, { affectedRows: 0 }); return { setMaxListeners() {} }; };
  transaction.connection = { query: ({ sql }, done) => keep(sql, done), execute: (sql, _, done) => keep(sql, done) };
  await Order.update({ state: 'over' }, { where, transaction }).catch(() => undefined);
  return sent ?? '(error)';
};
(async () => {
  const wheres = {
    "literal": { id: literal('LAST_INSERT_ID()') },
    "col": { id: col('other') },
    "cast": { id: cast('7', 'UNSIGNED') },
    "fn": { id: fn('LAST_INSERT_ID') },
    "operator": { id: { [Op.eq]: literal('LAST_INSERT_ID()') } },
  };
  const found = {};
  for (const [name, where] of Object.entries(wheres)) {
    found[name] = (await statementOf(where)).split('WHERE ').at(-1);
    console.log(`${name.padEnd(9)} ${found[name]}`);
  }
  assert.deepStrictEqual(found, {
    literal: 'LAST_INSERT_ID()',
    col: '`other`',
    cast: "CAST('7' AS UNSIGNED)",
    fn: '(error)',
    operator: '`id` = LAST_INSERT_ID()',
  });
})();
JS
node check.cjs
