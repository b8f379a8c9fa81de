#!/usr/bin/env bash
# Believed: `npm sbom --omit dev` lists the packages that `npm ci --omit dev` installs, so that it is the bill of
#   materials of what is shipped.
# So it is: a production dependency that a development dependency depends on too is left out, whatever asks for it
#   first. Here `npm ci --omit dev` installs kleur, ms and nodemailer, and the list has kleur alone. `npm ls --omit dev` has
#   all three, and the lock file marks none as dev. Of the installed tree and of the lock file alone it is the same.
#   Its selector is `:not(.dev)`, and `.dev` of `npm query` is whatever a development dependency leads to, shipped or not.
# Where it bites: a bill of materials without the very libraries that a scanner should know, such as a mailer whose test
#   server is a development dependency: 406 in place of 629 parts in one service. Nothing fails.
#   Without --omit, and filtered by the lock file's `dev`, it is whole.
# Versions: npm 11.19.1 and 10.9.4, Node 20.20.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir tools app
(cd tools && npm init -y >/dev/null && npm install --silent --no-audit --no-fund npm11@npm:npm@11.19.1 npm10@npm:npm@10.9.4 >/dev/null)
cd app
cat > package.json <<'JSON'
{
  "name": "app",
  "version": "1.0.0",
  "dependencies": { "ms": "2.1.3", "nodemailer": "7.0.10", "kleur": "4.1.5" },
  "devDependencies": { "debug": "4.4.3", "smtp-server": "3.16.1" }
}
JSON
npm install --silent --no-audit --no-fund --package-lock-only >/dev/null
npm ci --silent --no-audit --no-fund --omit dev >/dev/null
installed=$(ls node_modules | sort | tr '\n' ' ')
echo "installed by npm ci --omit dev: $installed"
[ "$installed" = 'kleur ms nodemailer ' ]

listed() { node -e '
  let text = "";
  process.stdin.on("data", (part) => { text += part; }).on("end", () => {
    console.log(JSON.parse(text).components.map(({ name }) => name).sort().join(" "));
  });'; }
npm ci --silent --no-audit --no-fund >/dev/null
for version in npm11 npm10; do
  for lock in --package-lock-only --no-package-lock-only; do
    found=$(node "../tools/node_modules/$version/bin/npm-cli.js" sbom --sbom-format cyclonedx --omit dev $lock | listed)
    echo "$version sbom --omit dev $lock: $found"
    [ "$found" = kleur ]
  done
done
