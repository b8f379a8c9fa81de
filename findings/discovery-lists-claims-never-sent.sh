#!/usr/bin/env bash
# Believed: claims_supported of an OpenID provider's discovery document names what its users' answers hold, so that
#   a program that needs email_verified can tell from the document whether the provider suits it.
# So it is: Canaille lists email_verified, and sends it nowhere. Its mapping of users to claims has none, and one
#   that is set (USERINFO_MAPPING, EMAIL_VERIFIED) is dropped without a word, while another claim of the same table
#   takes effect. Its userinfo has the e-mail alone. The specification calls the list one of claims that the
#   provider "may be able to supply values for", so that nothing can be concluded from it.
# Where it bites: programs that take an e-mail only when it is confirmed refuse every user of such a provider, and
#   a check of the discovery document at the start sees nothing.
# Versions: Canaille 0.3.6 (PyPI, Python 3.11), its memory backend.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env
env/bin/pip -q install 'canaille[front,oidc]==0.3.6'

cat > check.py <<'PY'
import datetime
from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from joserfc.jwk import RSAKey

HOST = "http://localhost:5600"
key = RSAKey.generate_key(2048, {"alg": "RS256", "use": "sig"}, auto_kid=True)
app = create_app({
    "SECRET_KEY": "any", "SERVER_NAME": "localhost:5600", "PREFERRED_URL_SCHEME": "http",
    "CANAILLE": {"DATABASE": "memory"},
    "CANAILLE_OIDC": {
        "ACTIVE_JWKS": [key.as_dict(private=True)],
        "USERINFO_MAPPING": {"EMAIL_VERIFIED": "true", "NAME": "mapped"},
    },
})
with app.app_context():
    now = datetime.datetime.now(datetime.timezone.utc)
    save = Backend.instance.save
    scope = ["openid", "profile", "email"]
    user = models.User(user_name="noa", formatted_name="Noa", family_name="X", emails=["noa@example.com"])
    save(user)
    client = models.Client(client_id="c", client_name="C", client_secret="s", client_id_issued_at=now, scope=scope)
    save(client)
    save(models.Token(token_id="t", access_token="t", client=client, subject=user, type="access_token",
                      scope=scope, issue_date=now, lifetime=3600, audience=[client]))
    http = app.test_client()
    listed = http.get("/.well-known/openid-configuration", base_url=HOST).get_json()["claims_supported"]
    sent = http.get("/oauth/userinfo", base_url=HOST, headers={"Authorization": "Bearer t"}).get_json()
print("claims_supported lists email_verified:", "email_verified" in listed)
print("userinfo:", {name: sent.get(name) for name in ("email", "email_verified", "name")})
assert "email_verified" in listed
assert sent["email"] == "noa@example.com" and sent["name"] == "mapped"
assert "email_verified" not in sent
PY
env/bin/python check.py 2>/dev/null
