"""A model server for tests: answers "hello", and remembers what each request carried."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class FakeModel:
    """Where it listens, and the bearer tokens of the requests for an answer."""

    address: str = ""
    tokens: list[str] = field(default_factory=list)


@contextmanager
def fake_model() -> Iterator[FakeModel]:
    """Run a server on a free port of this machine."""
    model = FakeModel()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._send({"object": "list", "data": [{"id": "m", "object": "model"}]})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            if "completions" not in self.path:
                self._send({})
                return
            model.tokens.append(str(self.headers.get("Authorization")).removeprefix("Bearer "))
            said = {"role": "assistant", "content": "hello"}
            base = {"id": "x", "created": 1, "model": "m"}
            if not asked.get("stream"):
                choice = {"index": 0, "message": said, "finish_reason": "stop"}
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                self._send(
                    base | {"object": "chat.completion", "choices": [choice], "usage": usage}
                )
                return
            parts = [{"delta": said, "finish_reason": None}, {"delta": {}, "finish_reason": "stop"}]
            chunks = [
                base | {"object": "chat.completion.chunk", "choices": [part | {"index": 0}]}
                for part in parts
            ]
            lines = [*map(json.dumps, chunks), "[DONE]"]
            text = "".join(f"data: {line}\n\n" for line in lines)
            self._send_bytes(text.encode(), "text/event-stream")

        def _send(self, data: object) -> None:
            self._send_bytes(json.dumps(data).encode(), "application/json")

        def _send_bytes(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    model.address = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
