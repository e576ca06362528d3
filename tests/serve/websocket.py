"""A WebSocket client in a page of code, which can also misbehave: the standard library has none."""

import base64
import json
import os
import socket
import struct


class Refused(Exception):
    """The server did not upgrade; the first argument is its status."""


class WebSocket:
    def __init__(self, port, token, host=None, origin=None, timeout=10):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        lines = [
            "GET /api/live HTTP/1.1",
            f"Host: {host or f'127.0.0.1:{port}'}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            f"Sec-WebSocket-Protocol: rhumb.v1, token.{token}",
        ]
        if origin is not None:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.socket.recv(1)
            if not part:
                raise Refused(0)
            head += part
        status = int(head.split()[1])
        if status != 101:
            self.socket.close()
            raise Refused(status)

    def _take(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("closed")
            data += part
        return data

    def send_frame(self, opcode, payload, fin=True, masked=True):
        head = bytes([(0x80 if fin else 0) | opcode])
        bit = 0x80 if masked else 0
        if len(payload) < 126:
            head += bytes([bit | len(payload)])
        elif len(payload) < 1 << 16:
            head += bytes([bit | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
        mask = os.urandom(4)
        body = payload
        if masked:
            head += mask
            body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.socket.sendall(head + body)

    def send(self, **message):
        self.send_frame(1, json.dumps(message).encode())

    def receive(self):
        """The next message: a dictionary, or bytes. Pings are answered, long messages come in parts."""
        kind, whole = 0, b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self._take(8))
            data = self._take(size)
            opcode = first & 15
            if opcode == 9:
                self.send_frame(10, data)
            elif opcode == 8:
                raise ConnectionError("closed by the server")
            else:
                kind, whole = opcode or kind, whole + data
                if first & 0x80:
                    return json.loads(whole) if kind == 1 else whole

    def await_type(self, kind, **fields):
        """The next message of a type that has these values; other messages are dropped."""
        while True:
            message = self.receive()
            if isinstance(message, dict) and message["type"] == kind:
                if all(message.get(key) == value for key, value in fields.items()):
                    return message

    def await_frame(self):
        while True:
            message = self.receive()
            if isinstance(message, bytes):
                return message

    def close(self):
        self.socket.close()
