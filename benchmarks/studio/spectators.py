"""One controller that asks, and many spectators, on one server: does anybody lose it, and does memory grow?

    python3 benchmarks/studio/spectators.py [--spectators 64] [--seconds 120] [--model halfcheetah]

Prints a JSON document. The exit code is 1 if a viewer lost the connection, or if memory grew by over 10 % after the
first quarter. Jitter is how far the time between two frames lies from its median.
"""

import argparse
import json
import os
import pathlib
import random
import selectors
import signal
import statistics
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/serve"))
import websocket  # noqa: E402


def rss_kb(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Viewer:
    """Counts what comes; answers pings."""

    def __init__(self, port, token):
        self.client = websocket.WebSocket(port, token)
        self.buffer = b""
        self.kind, self.whole = 0, b""  # of a message whose parts still come
        self.frames, self.answers, self.times, self.alive = 0, [], [], True

    def read(self):
        try:
            part = self.client.socket.recv(1 << 16)
        except OSError:
            part = b""
        if not part:
            self.alive = False
            return
        self.buffer += part
        while (message := self.take()) is not None:
            opcode, is_last, data = message
            if opcode < 8:  # long messages come in parts
                self.whole += data
                self.kind = opcode or self.kind
                if not is_last:
                    continue
                opcode, data, self.whole = self.kind, self.whole, b""
            if opcode == 2:
                self.frames += 1
                self.times.append(time.monotonic())
            elif opcode == 9:
                self.client.send_frame(10, data)
            elif opcode == 8:
                self.alive = False
            elif opcode == 1 and b'"answer"' in data:
                self.answers.append((json.loads(data)["id"], time.monotonic()))

    def take(self):
        """The next whole frame of the buffer, or None: opcode, whether it ends a message, data."""
        at = 2
        if len(self.buffer) < at:
            return None
        size = self.buffer[1] & 0x7F
        for code, form in ((126, ">H"), (127, ">Q")):
            if self.buffer[1] & 0x7F == code:
                if len(self.buffer) < at + struct.calcsize(form):
                    return None
                (size,) = struct.unpack_from(form, self.buffer, at)
                at += struct.calcsize(form)
        if len(self.buffer) < at + size:
            return None
        first, data = self.buffer[0], self.buffer[at : at + size]
        self.buffer = self.buffer[at + size :]
        return first & 15, first & 0x80, data


def quantile(values, share):
    return sorted(values)[int(share * (len(values) - 1))] if values else None


def milliseconds(seconds):
    return None if seconds is None else round(1000 * seconds, 1)


def watch(server, port, token, options):
    controller = Viewer(port, token)
    viewers = [controller] + [Viewer(port, token) for _ in range(options.spectators)]
    selector = selectors.DefaultSelector()
    for viewer in viewers:
        selector.register(viewer.client.socket, selectors.EVENT_READ, viewer)
    generator = random.Random(0)
    begin = time.monotonic()
    asked, next_question, next_sample, memory = {}, begin, begin, []
    while (now := time.monotonic()) < begin + options.seconds:
        for key, _ in selector.select(timeout=0.05):
            key.data.read()
            if not key.data.alive:
                selector.unregister(key.fileobj)
        if now >= next_question and controller.alive:
            next_question = now + 0.5
            asked[len(asked)] = time.monotonic()
            target = {options.objective: round(generator.uniform(options.low, options.high), 1)}
            controller.client.send(type="steer", id=len(asked) - 1, query={"target": target}, play={"blend": 10})
        if now >= next_sample:
            next_sample = now + 1
            memory.append(rss_kb(server.pid))
    settled = memory[len(memory) // 4 :]
    gaps = [b - a for viewer in viewers[1:] for a, b in zip(viewer.times, viewer.times[1:])]
    usual = statistics.median(gaps)
    waits = [when - asked[number] for number, when in controller.answers]
    return {
        "viewers": len(viewers),
        "seconds": options.seconds,
        "lost": sum(not viewer.alive for viewer in viewers),
        "frames_per_s": round(statistics.median(viewer.frames for viewer in viewers) / options.seconds, 1),
        "fewest_frames_per_s": round(min(viewer.frames for viewer in viewers) / options.seconds, 1),
        "gap_ms": milliseconds(usual),
        "jitter_p50_ms": milliseconds(quantile([abs(gap - usual) for gap in gaps], 0.5)),
        "jitter_p99_ms": milliseconds(quantile([abs(gap - usual) for gap in gaps], 0.99)),
        "questions": len(asked),
        "answered": len(waits),
        "answer_p50_ms": milliseconds(quantile(waits, 0.5)),
        "answer_p99_ms": milliseconds(quantile(waits, 0.99)),
        "memory_mb": [round(settled[0] / 1024, 1), round(max(settled) / 1024, 1)],
        "load": [round(value, 1) for value in os.getloadavg()],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--model", default="halfcheetah")
    parser.add_argument("--objective", default="forward")
    parser.add_argument("--low", type=float, default=1000)
    parser.add_argument("--high", type=float, default=6000)
    options = parser.parse_args()
    rhumb = os.environ.get("RHUMB_BIN", str(ROOT / "build/release/bin/rhumb"))
    server = subprocess.Popen([rhumb, "serve", options.model, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
    try:
        text = ""
        while not text.endswith("}\n"):
            text += server.stdout.readline()
        said = json.loads(text)
        result = watch(server, said["port"], said["token"], options)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
    print(json.dumps(result))
    first, most = result["memory_mb"]
    return 1 if result["lost"] or most > 1.1 * first else 0


if __name__ == "__main__":
    sys.exit(main())
