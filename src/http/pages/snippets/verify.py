import hashlib
import hmac
import json
import time


def verify_webhook(raw_body: bytes, signature_header: str, secret: str, tolerance_seconds: int = 300) -> dict:
    """Gives the event when one of the signatures fits, else raises ValueError.

    raw_body is the body exactly as it came: parse it only afterwards.
    """
    parts = [part.partition("=") for part in signature_header.split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    signed = timestamp.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    signatures = [value.encode() for name, _, value in parts if name == "v1"]
    if not any(hmac.compare_digest(expected, given) for given in signatures):
        raise ValueError("The signature does not fit.")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise ValueError("The delivery is too old.")
    return json.loads(raw_body)
