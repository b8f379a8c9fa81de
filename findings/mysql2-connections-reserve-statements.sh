#!/usr/bin/env bash
# Believed: a MySQL connection of mysql2 that never prepares a statement costs a few kilobytes, so that the size of a pool
#   is a question for the server alone.
# So it is: each connection makes its cache of prepared statements at once, at its full size of 16,000
#   (maxPreparedStatements): lru.min allots its lists for that many beforehand. query() never uses it; it costs half a
#   megabyte a connection all the same, outside what a glance at one's own objects shows.
# Where it bites: services with two pools of some twenty connections each hold 20 MB of empty lists, in every process, and
#   those that send plain text (as Sequelize does) get nothing for it. maxPreparedStatements: 1 gives it back; 0 is taken
#   for "not set" and stays 16,000.
# Versions: mysql2 3.24.5, lru.min 1.1.5, Node.js 20.20 and 24.16.
# Output seen (mysql2's own server has as large a cache for its side of each connection):
#   KiB a connection, client and server: as it comes 1024, maxPreparedStatements 0 1024, 1 524
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mysql2@3.24.5 >install.log 2>&1

cat > connections.cjs <<'JS'
const mysql = require('mysql2');

/** A server that greets, and takes every user: mysql2's own. */
const server = mysql.createServer((connection) => {
  connection.on('error', () => undefined);
  connection.serverHandshake({
    protocolVersion: 10, serverVersion: '8.0.0', connectionId: 1, statusFlags: 2, characterSet: 45,
    capabilityFlags: 0xffffff ^ 2048,
    authCallback: (_, done) => done(null),
  });
});

const connect = (options) =>
  new Promise((resolve, reject) => {
    const connection = mysql.createConnection({ host: '127.0.0.1', port: server._server.address().port, ...options });
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
  });

server.listen(0, '127.0.0.1', async () => {
  const options = JSON.parse(process.argv[2]);
  const made = [await connect(options)];
  global.gc();
  const before = process.memoryUsage().heapUsed;
  while (made.length <= 40) made.push(await connect(options));
  global.gc();
  console.log(Math.round((process.memoryUsage().heapUsed - before) / 40 / 1024));
  process.exit(0);
});
JS
usual=$(node --expose-gc connections.cjs '{}')
zero=$(node --expose-gc connections.cjs '{"maxPreparedStatements":0}')
one=$(node --expose-gc connections.cjs '{"maxPreparedStatements":1}')
echo "KiB a connection, client and server: as it comes $usual, maxPreparedStatements 0 $zero, 1 $one"
[ $((usual - one)) -gt 300 ] || { echo 'a connection reserves no more'; exit 1; }
[ $((zero - one)) -gt 300 ] || { echo '0 is taken at its word'; exit 1; }
