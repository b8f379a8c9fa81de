"""Loads a generated client, and reads and writes the examples of the document's bodies: python read-examples.py <folder> <package> <document>"""

import importlib
import json
import pkgutil
import sys

folder, api, document_file = sys.argv[1:]
sys.path.insert(0, folder)
client = importlib.import_module(api)
modules = [importlib.import_module(found.name) for found in pkgutil.walk_packages(client.__path__, f"{api}.")]
models = importlib.import_module(f"{api}.models")

document = json.load(open(document_file))
operations = [one for path in document["paths"].values() for one in path.values()]
made = [module for module in modules if hasattr(module, "sync_detailed")]
assert len(made) == len(operations), f"{len(made)} of {len(operations)} operations were made"

read = 0
for operation in operations:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    operation_id = operation["operationId"]
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2] or operation_id[0].upper() + operation_id[1:] + "Body"
    if not hasattr(models, name) or "example" not in body:
        continue
    again = getattr(models, name).from_dict(json.loads(json.dumps(body["example"]))).to_dict()
    assert again == body["example"], (name, again)
    read += 1
print(f"{api} in Python: {len(models.__all__)} models, {len(made)} operations, {read} examples of bodies read and written again")
