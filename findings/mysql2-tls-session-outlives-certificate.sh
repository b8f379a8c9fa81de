#!/usr/bin/env bash
# Believed: a service whose pool checks the certificate of its MySQL server notices when that ends, at the latest with its
#   next new connection: alarms that watch for refused connections tell of it in time.
# So it is: mysql2 keeps the TLS session of each server and resumes it with every further connection of a pool. A resumed
#   session carries no certificate, so the running service goes on connecting, while each process that starts is refused.
#   It ends when the server forgets its session tickets: at a restart, or at the FLUSH SSL with which a renewal begins.
# Where it bites: nobody is told for hours after the end. Then a deploy, or a restart of the server, takes everything down
#   at once. Watch the certificate's own date at the server, not the connections of who uses it.
# Versions: mysql2 3.24.5, MariaDB 10.11.19 (Debian 12, OpenSSL 3.0), Node.js 20.20.
# Output seen:
#   before its end: taken; after it, the same pool: taken, another process: certificate has expired
#   after FLUSH SSL, the same pool: certificate has expired
# Needs MariaDB's server and openssl (Debian: mariadb-server).
set -euo pipefail
dir=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mysql2@3.24.5 >install.log 2>&1

touch index.txt
echo 01 >serial
cat >ca.cnf <<'CNF'
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
default_days = 1
policy = any
[any]
commonName = supplied
CNF
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj '/CN=authority' 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj '/CN=database' 2>/dev/null
mariadb-install-db --no-defaults --datadir="$dir/data" --auth-root-authentication-method=normal >install-db.log 2>&1
cat >init.sql <<'SQL'
CREATE USER shop@'127.0.0.1' IDENTIFIED BY 'shop';
GRANT RELOAD ON *.* TO shop@'127.0.0.1';
SQL
export PORT=$((20000 + RANDOM % 10000))
# Long enough for the server to start, and for a connection before the end.
ends=$(($(date +%s) + 20))
openssl ca -batch -notext -config ca.cnf -in server.csr -out server.pem \
  -enddate "$(date -u -d "@$ends" +%y%m%d%H%M%SZ)" 2>ca.log
mariadbd --no-defaults --user="$(id -un)" --datadir="$dir/data" --socket="$dir/s" --port="$PORT" \
  --bind-address=127.0.0.1 --skip-name-resolve --init-file="$dir/init.sql" --ssl-ca="$dir/ca.pem" --ssl-cert="$dir/server.pem" \
  --ssl-key="$dir/server.key" >server.log 2>&1 &
server=$!

cat >pool.cjs <<'JS'
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const mysql = require('mysql2/promise');

const pool = mysql.createPool({
  host: '127.0.0.1', port: Number(process.env.PORT), user: 'shop', password: 'shop', ssl: { ca: readFileSync('ca.pem') },
});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection that the pool has not had before. */
async function connect(sql = 'SELECT 1') {
  try {
    const connection = await pool.getConnection();
    await connection.query(sql);
    connection.destroy();
    return 'taken';
  } catch (error) {
    return error.code === 'ECONNREFUSED' ? error.code : error.message;
  }
}

async function main() {
  let first = await connect();
  if (process.argv[2] === 'once') return console.log(first);
  for (; first === 'ECONNREFUSED' && Date.now() < process.argv[2] * 1000; first = await connect()) await wait(200);
  await wait(process.argv[2] * 1000 + 2000 - Date.now());
  const same = await connect();
  const other = execFileSync(process.execPath, ['pool.cjs', 'once']).toString().trim();
  console.log(`before its end: ${first}; after it, the same pool: ${same}, another process: ${other}`);
  await connect('FLUSH SSL');
  console.log(`after FLUSH SSL, the same pool: ${await connect()}`);
}
main().finally(() => pool.end());
JS
node pool.cjs "$ends" | tee out
[ "$(sed -n 1p out)" = 'before its end: taken; after it, the same pool: taken, another process: certificate has expired' ] ||
  { echo 'a running pool notices the end'; exit 1; }
[ "$(sed -n 2p out)" = 'after FLUSH SSL, the same pool: certificate has expired' ] || { echo 'FLUSH SSL ends no session'; exit 1; }
