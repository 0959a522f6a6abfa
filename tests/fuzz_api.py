"""What the fuzzer of the API needs to know besides its description: how lines of JSON are sent and read."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def written(_context, value):
    if isinstance(value, bytes):
        return value
    return json.dumps(value).encode("utf-8", "surrogatepass") + b"\n"


@schemathesis.deserializer("application/x-ndjson")
def read(_context, response):
    # One request was sent, so at most one answer comes; nothing is asked of a batch without lines.
    lines = [json.loads(line) for line in response.content.splitlines() if line.strip()]
    assert len(lines) <= 1 or b"\n" in (response.request.body or b"")[:-1], lines
    return lines[0] if lines else {"id": None, "line": 0, "error": {"code": "", "detail": ""}}
