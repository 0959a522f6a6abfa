"""What the fuzzer of the API needs to know besides its description: how lines of JSON are sent and read."""

import json

import schemathesis


@schemathesis.hook
def before_load_schema(_context, raw_schema):
    """Bodies of lines are described as files; here one line is made up, or two."""
    for item in raw_schema["paths"].values():
        bodies = [operation.get("requestBody", {}) for operation in item.values() if isinstance(operation, dict)]
        answers = [one for operation in item.values() if isinstance(operation, dict) for one in operation["responses"].values()]
        for part in bodies + answers:
            content = part.get("content", {}).get("application/x-ndjson")
            if content:
                content["schema"] = content["schema"]["x-ndjson-line"]


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
