"""`rhumb serve` over real connections: what it answers, and what it does not let in."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import unittest

import websocket

RHUMB = os.environ["RHUMB_BIN"]
QUERY = {"target": {"forward": 6000}, "require": ["energy>=-3000"]}


def rss_kb(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Served(unittest.TestCase):
    served = ["halfcheetah"]

    @classmethod
    def setUpClass(cls):
        cls.errors = tempfile.TemporaryFile("w+")
        command = [RHUMB, "serve", *cls.served, "--port", "0", "--json"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=cls.errors, text=True)
        text = ""
        while not text.endswith("}\n"):
            text += cls.server.stdout.readline()
        said = json.loads(text)
        cls.port, cls.token, cls.models = said["port"], said["token"], said["models"]
        cls.name = f"127.0.0.1:{cls.port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGINT)
        code = cls.server.wait(timeout=10)
        cls.errors.seek(0)
        said = cls.errors.read()
        cls.errors.close()
        cls.server.stdout.close()
        assert code == 0, f"exit {code}: {said}"

    def ask(self, path, method="GET", body=None, token=None, headers=None, host=None, timeout=10):
        """The status and the body of one request; token "" sends none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", self.name if host is None else host)
            token = self.token if token is None else token
            if token:
                connection.putheader("Authorization", f"Bearer {token}")
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def steer(self, document, **options):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        options = {"headers": {"Content-Type": "application/json"}, **options}
        return self.ask("/api/steer", "POST", body, **options)

    def assert_alive(self):
        status, body = self.steer(QUERY)
        self.assertEqual(status, 200, body)
        self.assertIsNone(self.server.poll())


class Answers(Served):
    def test_the_page_is_there_without_a_token(self):
        status, page = self.ask("/", token="")
        self.assertEqual(status, 200)
        self.assertIn(b"Rhumb Studio", page)
        for name in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"):
            connection = http.client.HTTPConnection("127.0.0.1", self.port)
            connection.request("GET", "/", headers={"Host": self.name})
            response = connection.getresponse()
            self.assertIn(name, response.getheader("Content-Security-Policy"))
            etag = response.getheader("ETag")
            connection.close()
        self.assertEqual(self.ask("/", headers={"If-None-Match": etag})[0], 304)

    def test_steers_as_the_command_does(self):
        status, body = self.steer({**QUERY, "confidence": 0.9, "answers": 2})
        self.assertEqual(status, 200)
        ours = json.loads(body)
        command = [RHUMB, "steer", "halfcheetah", "--target", "forward=6000", "--require", "energy>=-3000"]
        command += ["--confidence", "0.9", "--answers", "2", "--json"]
        theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for document in (ours, theirs):
            document.pop("timing_ms")
        self.assertEqual(ours, theirs)

    def test_bad_questions_get_a_sentence(self):
        cases = {
            b"{": "the body",
            b"[]": "must be an object",
            b'{"target": {"speed": 1}}': "speed",
            b'{"target": {"forward": 1}, "aim": 3}': "aim",
            b'{"model": "none", "target": {"forward": 1}}': "'model'",
            b'{"mode": "x", "target": {"forward": 1}}': "'x'",
            b'{"confidence": 2, "target": {"forward": 1}}': "'confidence'",
            b'{"answers": 1e9, "target": {"forward": 1}}': "'answers'",
            b"{}": "empty",
            b'{"target": ' + b'{"a":' * 100 + b"1" + b"}" * 101: "nest deeper",
        }
        for body, part in cases.items():
            status, said = self.steer(body)
            self.assertEqual(status, 400, said)
            self.assertIn(part, json.loads(said)["error"])
        self.assertEqual(self.steer(QUERY, headers={"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(self.ask("/api/steer")[0], 405)
        self.assertEqual(self.ask("/api/models", "POST", b"")[0], 405)
        for path in ("/api/", "/api/none", "/api/models/none", "/api/models/halfcheetah/none", "/none"):
            self.assertEqual(self.ask(path)[0], 404, path)
        self.assertEqual(self.ask("/api/models/halfcheetah/map/mean")[0], 200)

    def test_control_frames_and_spectators(self):
        first = websocket.WebSocket(self.port, self.token)
        self.addCleanup(first.close)
        self.assertEqual(first.receive()["type"], "hello")
        self.assertTrue(first.await_type("role")["controller"])
        first.send(type="steer", id=3, query=QUERY, play={"blend": 10})
        answer = first.await_type("answer")
        self.assertEqual([answer["id"], answer["status"]], [3, "solved"])
        state = first.await_type("state")
        self.assertEqual(state["lanes"][0]["label"], answer["query"]["words"])
        self.assertEqual(state["lanes"][0]["code"], answer["answers"][0]["code"])

        # The robot runs on while answers are tried; then one of them takes over.
        first.send(type="steer", id=4, query={"target": {"forward": 2000}}, play={"blend": 10, "tries": 4})
        answer = first.await_type("answer", id=4)
        self.assertGreater(len(answer["answers"]), 1)
        while (lane := first.await_type("state")["lanes"][0])["label"] != answer["query"]["words"]:
            pass
        self.assertIn(lane["code"], [one["code"] for one in answer["answers"]])

        steps = []
        for _ in range(3):
            frame = first.await_frame()
            self.assertEqual(frame[:4], b"RHB1")
            steps.append(struct.unpack("<I", frame[4:8])[0])
        self.assertLess(steps[0], steps[-1], "the robot moves")

        second = websocket.WebSocket(self.port, self.token)
        self.addCleanup(second.close)
        self.assertFalse(second.await_type("role")["controller"])
        second.send(type="run", paused=True)
        self.assertIn("only the controller", second.await_type("error")["error"])
        second.send(type="control")
        self.assertIn("another viewer", second.await_type("error")["error"])
        second.send(type="steer", id=1, query={"target": {"speed": 1}})
        self.assertIn("speed", second.await_type("error", id=1)["error"])
        second.await_frame()
        first.send(type="release")
        second.await_type("role", free=True)
        second.send(type="control")
        second.await_type("role", controller=True)
        second.send(type="run", paused=True, speed=0.5)
        second.await_type("state", paused=True)
        second.send(type="schedule", lines=[{"step": 0, **QUERY}, {"step": 5, "blend": 3, "maximise": ["forward"]}])
        while not (schedule := second.await_type("state")["lanes"][0]["schedule"]):
            pass
        self.assertEqual([line["step"] for line in schedule], [0, 5])
        second.send(type="play", row=7, lane=1)
        while len(second.await_type("state")["lanes"]) != 2:
            pass
        second.send(type="clear", lane=1)
        second.send(type="mode", mode="mean")
        second.await_type("state", mode="mean")
        second.send(type="push", lane=0, body=99, force=[0, 0, 1])
        self.assertIn("bodies 0 to 7", second.await_type("error")["error"])
        second.close()
        first.await_type("role", free=True)


class Security(Served):
    def test_hosts_and_origins(self):
        port = self.port
        hosts = ["", "evil.com", f"evil.com:{port}", "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}"]
        hosts += [f"localhost:{port}.evil.com", f"127.0.0.1.evil.com:{port}", f"evil.com#127.0.0.1:{port}"]
        hosts += [f"user@127.0.0.1:{port}", f"127.1:{port}", f"2130706433:{port}", f"0.0.0.0:{port}", f"[::]:{port}"]
        hosts += [f"localhost.:{port}", f"127.0.0.1:{port}, evil.com", f"http://127.0.0.1:{port}", "*", "null", "127.0.0.1:"]
        origins = ["null", "http://evil.com", f"http://evil.com:{port}", "http://localhost", f"https://localhost:{port}"]
        origins += [f"http://localhost:{port}.evil.com", f"http://127.0.0.1:{port + 1}", "file://", "http://"]
        origins += [f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{port} http://evil.com", "chrome-extension://abc"]
        origins += [f"ws://127.0.0.1:{port}", f"http://user@127.0.0.1:{port}", f"127.0.0.1:{port}", "*", "about:blank"]
        origins += [f"http://[::ffff:127.0.0.1]:{port}", "data:text/html,x", f"http://0.0.0.0:{port}"]
        self.assertGreaterEqual(len(hosts) + len(origins), 40)
        for host in hosts:
            for path in ("/", "/api/models"):
                self.assertEqual(self.ask(path, host=host)[0], 421, host)
        for origin in origins:
            for path in ("/", "/api/models"):
                self.assertEqual(self.ask(path, headers={"Origin": origin})[0], 403, origin)
            with self.assertRaises(websocket.Refused):
                websocket.WebSocket(port, self.token, origin=origin)
        self.assertEqual(self.ask("/api/models", headers={"Origin": f"http://localhost:{port}"})[0], 200)
        websocket.WebSocket(port, self.token, origin=f"http://127.0.0.1:{port}").close()

    def test_tokens(self):
        wrong = ["", "0", self.token[:-1], self.token + "0", self.token.upper() + "x", "é", "0" * 32, "a" * 5000]
        for token in wrong:
            for path in ("/api/models", "/api/models/halfcheetah", "/api/none"):
                self.assertEqual(self.ask(path, token=token.encode().decode("latin1"))[0], 401, token)
            self.assertEqual(self.steer(QUERY, token=token.encode().decode("latin1"))[0], 401)
            with self.assertRaises(websocket.Refused) as refused:
                websocket.WebSocket(self.port, token[:4000])
            self.assertEqual(refused.exception.args[0], 401)
        self.assertEqual(self.ask(f"/api/models?token={self.token}", token="")[0], 401)

    def test_path_traversals(self):
        up = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "....//", "%252e%252e%252f", ".%2e/", "..;/"]
        files = ["etc/passwd", "proc/self/environ", "README.md", "zoo/halfcheetah/model.json", "%00/etc/passwd"]
        starts = ["/", "/assets/", "/api/models/", "/api/models/halfcheetah/"]
        tried = 0
        for prefix in up:
            for file in files:
                for start in starts:
                    status, body = self.ask(start + prefix * 6 + file)
                    self.assertIn(status, (400, 404), start + prefix + file)
                    self.assertNotIn(b"root:", body)
                    tried += 1
        self.assertGreaterEqual(tried, 200)
        self.assert_alive()

    def raw(self, data, timeout=5):
        """Whatever the server says to these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                return connection.recv(4096)
            except OSError:
                return b""

    def test_oversized_and_malformed_requests(self):
        head = f"POST /api/steer HTTP/1.1\r\nHost: {self.name}\r\nAuthorization: Bearer {self.token}\r\n".encode()
        head += b"Content-Type: application/json\r\n"
        self.assertIn(b" 413 ", self.raw(head + b"Content-Length: 70000\r\n\r\n" + b" " * 70000))
        self.assertIn(b" 413 ", self.raw(b"GET / HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n"))
        generator = random.Random(1)
        for line in (b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 2000, b"GET / HTTP/1.1\r\n\r\n"):
            self.assertNotIn(b" 200 ", self.raw(line))
        for size in ("-1", "99999999999999999999", "1e3", "0x10", "5, 6"):
            self.assertNotIn(b" 200 ", self.raw(head + f"Content-Length: {size}\r\n\r\n{{}}".encode()))
        self.raw(head + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFF\r\n")
        for _ in range(50):
            self.raw(generator.randbytes(generator.randrange(1, 600)))
        two = f"GET /api/models HTTP/1.1\r\nHost: {self.name}\r\nHost: evil.com\r\n\r\n".encode()
        self.assertIn(b" 421 ", self.raw(two))
        self.assert_alive()

    def test_oversized_and_malformed_frames(self):
        generator = random.Random(2)

        def abuse(send):
            client = websocket.WebSocket(self.port, self.token)
            try:
                send(client)
                for _ in range(3):
                    client.receive()
            except OSError:
                pass
            client.close()

        abuse(lambda client: client.send_frame(1, b"x" * 70000))  # larger than allowed
        abuse(lambda client: client.socket.sendall(b"\x81\xff" + b"\xff" * 12))  # claims 2^64 bytes
        abuse(lambda client: client.send_frame(1, b"{}", masked=False))
        abuse(lambda client: client.send_frame(1, b"\xff\xfe"))  # not UTF-8
        abuse(lambda client: client.send_frame(9, b"x" * 126))  # a ping that is too long
        abuse(lambda client: client.send_frame(3, b""))  # reserved
        abuse(lambda client: client.send_frame(0, b"x"))  # continues nothing
        abuse(lambda client: client.socket.sendall(generator.randbytes(500)))
        abuse(lambda client: [client.send_frame(1, b"x" * 1000, fin=False)] + [client.send_frame(0, b"x" * 1000, fin=False) for _ in range(80)])
        client = websocket.WebSocket(self.port, self.token)
        self.addCleanup(client.close)
        seeds = [{"type": "steer", "id": 1, "query": QUERY}, {"type": "push", "force": [1, 2, 3]}, {"type": "play", "row": 1}]
        for _ in range(300):
            text = bytearray(json.dumps(generator.choice(seeds)).encode())
            for _ in range(generator.randrange(1, 4)):
                text[generator.randrange(len(text))] = generator.randrange(32, 127)
            client.send_frame(1, bytes(text))
        client.send_frame(2, b"binary")
        client.send(type="steer", id=77, query=QUERY)
        self.assertEqual(client.await_type("answer", id=77)["status"], "solved")
        self.assert_alive()

    def test_slow_and_abandoned_connections(self):
        before = rss_kb(self.server.pid)
        controller = websocket.WebSocket(self.port, self.token)
        self.addCleanup(controller.close)
        slow = []
        for number in range(1000):
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: " if number % 2 else b"G")
            slow.append(connection)
            if number % 100 == 99:
                self.assert_alive()
                controller.await_frame()
        descriptors = len(os.listdir(f"/proc/{self.server.pid}/fd"))
        self.assertLess(descriptors, 300, "the oldest give way")
        for connection in slow:
            connection.close()
        controller.send(type="steer", id=5, query=QUERY)
        controller.await_type("answer", id=5)
        self.assertLess(rss_kb(self.server.pid) - before, 30000)

    def test_many_spectators(self):
        controller = websocket.WebSocket(self.port, self.token)
        self.addCleanup(controller.close)
        controller.await_type("role")
        spectators = []
        for _ in range(64):
            spectators.append(websocket.WebSocket(self.port, self.token))
            self.addCleanup(spectators[-1].close)
        controller.await_type("role", viewers=65)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            frames = list(pool.map(lambda spectator: [spectator.await_frame() for _ in range(5)], spectators))
        self.assertEqual(len(frames), 64)
        self.assertTrue(all(frame[:4] == b"RHB1" for seen in frames for frame in seen))
        for _ in range(40):
            try:
                spectators.append(websocket.WebSocket(self.port, self.token))
                self.addCleanup(spectators[-1].close)
            except websocket.Refused as refused:
                self.assertEqual(refused.args[0], 503)
                break
        else:
            self.fail("there is no end of viewers")
        controller.send(type="steer", id=9, query=QUERY)
        controller.await_type("answer", id=9)


class Zoo(Served):
    served = []

    def test_halfcheetah_comes_first(self):
        listed = [model["name"] for model in json.loads(self.ask("/api/models")[1])["models"]]
        self.assertEqual(listed, self.models)
        self.assertEqual(listed[0], "halfcheetah")
        self.assertEqual(listed[1:], sorted(listed[1:]))


class Population(Served):
    """A population in training, which a test plays: policies appear in OUT.work."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.scratch.name) / "cheetah.population.work"
        model = pathlib.Path(RHUMB).parent.parent / "share/rhumb/zoo/halfcheetah"
        shutil.copytree(model / "environment", cls.work / "environment")
        environment = json.loads((model / "model.json").read_text())["environment"]
        run = {"environment": environment, "agents": [0, 1], "weights": [[1, 0], [0, 1]]}
        (cls.work / "run.json").write_text(json.dumps(run))
        cls.served = [str(cls.work)]
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.scratch.cleanup()

    def keep(self, agent, iteration, returns):
        """Writes a policy that pushes with all motors."""
        arrays = {
            "deviation": ([6], [0.1] * 6),
            "mean.0.bias": ([6], [0.5] * 6),
            "mean.0.weight": ([17, 6], [0.0] * 102),
            "normaliser.inverse_scale": ([17], [1.0] * 17),
            "normaliser.limit": ([1], [10.0]),
            "normaliser.mean": ([17], [0.0] * 17),
            "returns": ([2], returns),
        }
        header, data = {"__metadata__": {"activation": "relu"}}, b""
        for name, (shape, numbers) in arrays.items():
            begin = len(data)
            data += struct.pack(f"<{len(numbers)}f", *numbers)
            header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
        text = json.dumps(header).encode()
        folder = self.work / f"agent_{agent:03}"
        folder.mkdir(exist_ok=True)
        (folder / "part").write_bytes(struct.pack("<Q", len(text)) + text + data)
        (folder / "part").rename(folder / f"iteration_{iteration:05}.safetensors")

    def policies(self):
        status, body = self.ask("/api/models/cheetah.population/policies")
        self.assertEqual(status, 200, body)
        return json.loads(body)

    def test_policies_appear_and_play(self):
        listed = json.loads(self.ask("/api/models")[1])["models"]
        self.assertEqual([listed[0]["name"], listed[0]["kind"]], ["cheetah.population", "population"])
        before = self.policies()
        self.assertTrue(before["training"])
        self.assertEqual([agent["policies"] for agent in before["agents"]], [[], []])
        viewer = websocket.WebSocket(self.port, self.token)
        self.addCleanup(viewer.close)
        self.assertEqual(viewer.await_type("state")["lanes"][0]["label"], "no policy yet")
        viewer.await_frame()

        self.keep(1, 5, [120.5, -7.0])
        self.assertEqual(self.policies()["agents"][1]["policies"], [{"iteration": 5, "returns": [120.5, -7.0]}])
        viewer.send(type="play", policy={"agent": 1, "iteration": 5})
        while (lane := viewer.await_type("state")["lanes"][0])["policy"] is None:
            pass
        self.assertEqual(lane["policy"], {"agent": 1, "iteration": 5})
        self.assertEqual(lane["predicted"], {"forward": 120.5, "energy": -7.0})
        viewer.await_frame()

        viewer.send(type="play", policy={"agent": 0, "iteration": 5})
        self.assertIn("no policy of agent 0", viewer.await_type("error")["error"])
        viewer.send(type="steer", id=4, query=QUERY)
        self.assertIn("rhumb model train", viewer.await_type("error", id=4)["error"])
        viewer.send(type="play", row=3)
        self.assertIn("without a map", viewer.await_type("error")["error"])
        self.assertEqual(self.steer(QUERY)[0], 400)
        self.assertEqual(self.ask("/api/models/cheetah.population/map/sampled")[0], 404)
        self.assertEqual(self.ask("/api/models/cheetah.population/policies", token="x")[0], 401)


class Ends(unittest.TestCase):
    def test_bad_arguments(self):
        for arguments, part in (
            (["none"], "none"),
            (["--host", "nowhere"], "'nowhere' is no address"),
            (["halfcheetah", "halfcheetah"], "two models are named"),
        ):
            result = subprocess.run([RHUMB, "serve", "--port", "0", *arguments], capture_output=True, text=True, timeout=20)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(part, result.stderr)

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            result = subprocess.run([RHUMB, "serve", "--port", str(port)], capture_output=True, text=True, timeout=20)
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot be served", result.stderr)


if __name__ == "__main__":
    unittest.main()
