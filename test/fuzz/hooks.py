"""Hooks of Schemathesis. Most creations get an order and a key of their own: repeats are answered from the first."""

import copy
import itertools
import time

import schemathesis

RUN = f"{time.time_ns():x}"
COUNT = itertools.count(1)
MAX_TEXT = 90
# One request of so many stays as it is, so that repeats are seen too.
REPEAT_EVERY = 10


def own(text, number):
    """The text with a mark of this request, unless it was made to be wrong."""
    fits = isinstance(text, str) and text.strip() and len(text) < MAX_TEXT
    return f"{text}-{RUN}-{number}" if fits else text


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(COUNT)
    if number % REPEAT_EVERY == 0:
        return
    if isinstance(case.headers, dict) or hasattr(case.headers, "get"):
        key = case.headers.get("Idempotency-Key")
        if key is not None:
            case.headers["Idempotency-Key"] = own(key, number)
    if not isinstance(case.body, dict):
        return
    if case.operation.path.endswith("/open_new_order") and "order_id" in case.body:
        case.body = {**case.body, "order_id": own(case.body["order_id"], number)}
    order = case.body.get("order")
    if case.operation.path == "/shipments" and isinstance(order, dict) and "id" in order:
        case.body = copy.deepcopy(case.body)
        case.body["order"]["id"] = own(order["id"], number)
