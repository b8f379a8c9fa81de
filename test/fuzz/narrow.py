"""Narrows a published document to what the demo data has, so that requests get past the choice of a license.

Usage: narrow.py v2|v1 demo.json < openapi.json > narrowed.json
"""

import json
import sys
import urllib.request

RECEIVER = "http://127.0.0.1:4199"
WORD = {"type": "string", "pattern": "^[A-Z][a-z]{1,20}$"}


def tracking_codes(demo):
    """Codes of shipments that exist: no generator guesses one."""
    request = urllib.request.Request(
        f"{demo['base_url']}/api/v2/shipments?license_key=demo-run&per_page=5",
        headers={"X-Client-Id": demo["client_id"], "X-Client-Secret": demo["client_secret"]},
    )
    with urllib.request.urlopen(request) as answer:
        return [one["tracking_code"] for one in json.load(answer)["data"] if one["tracking_code"]]


def of_v2(demo):
    keys = {"type": "string", "enum": ["demo-run", "demo-independent"]}
    moments = ("since", "created_from", "created_to", "filter[created_from]", "filter[created_to]")
    return {
        "license_key": keys,
        "url": {"type": "string", "enum": [f"{RECEIVER}/a", f"{RECEIVER}/b"]},
        # The published pattern lets days through that no month has.
        **{name: {"type": "string", "format": "date-time"} for name in moments},
    }


def of_v1(demo):
    return {
        "license_key": {"type": "string", "enum": ["demo-run", "demo-independent"]},
        "domain": {"type": "string", "enum": [demo["store_domain"]]},
        "shipping_id": {"type": "string", "enum": tracking_codes(demo)},
        # A premium company's alone; any other text is refused as a whole.
        "token": {"type": "string", "enum": [demo["user_token"]]},
    }


def narrow_object(schema, known):
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return
    for name, narrowed in known.items():
        if name in properties:
            properties[name] = narrowed
    # Several licenses: whoever names none is refused.
    if "license_key" in properties:
        schema["required"] = sorted({*schema.get("required", []), "license_key"})
    if {"street", "city", "pickup"} <= properties.keys():
        schema.pop("anyOf", None)
        properties.update(street=WORD, city=WORD, pickup={"type": "null"})
        schema["required"] = sorted({*schema.get("required", []), "street", "city"})


def narrow_text(schema):
    """Long texts with a pattern take the generator minutes, and show nothing that short ones do not."""
    if schema.get("type") == "string" and schema.get("maxLength", 0) > 60 and "pattern" in schema:
        schema.pop("minLength", None)
        schema.pop("maxLength")
        schema["pattern"] = "^[A-Za-z0-9]{1,30}$"


def walk(node, known, in_request):
    if isinstance(node, list):
        for one in node:
            walk(one, known, in_request)
        return
    if not isinstance(node, dict):
        return
    if in_request:
        narrow_object(node, known)
        narrow_text(node)
    for one in node.values():
        walk(one, known, in_request)


def referred(node, found):
    """Names of the components that a part refers to."""
    if isinstance(node, list):
        for one in node:
            referred(one, found)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            found.add(node["$ref"].rsplit("/", 1)[1])
        for one in node.values():
            referred(one, found)
    return found


def narrow_parameters(operation, known):
    kept = []
    for parameter in operation.get("parameters", []):
        # Cursors are signed: a made-up one is refused, and links lead to real ones.
        if parameter.get("name") == "cursor":
            continue
        if parameter.get("name") in known:
            parameter["schema"] = known[parameter["name"]]
            parameter["required"] = parameter["required"] if "required" in parameter else False
        if parameter.get("name") == "license_key":
            parameter["required"] = True
        kept.append(parameter)
    operation["parameters"] = kept


def main():
    api, demo_file = sys.argv[1:]
    with open(demo_file, encoding="utf-8") as file:
        demo = json.load(file)
    document = json.load(sys.stdin)
    known = of_v1(demo) if api == "v1" else of_v2(demo)
    components = document["components"]["schemas"]
    bodies = set()
    for path in document["paths"].values():
        for operation in path.values():
            narrow_parameters(operation, known)
            body = operation.get("requestBody")
            walk(body, known, True)
            referred(body, bodies)
    waiting, seen = list(bodies), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        walk(components[name], known, True)
        waiting.extend(referred(components[name], set()))
    json.dump(document, sys.stdout)


main()
