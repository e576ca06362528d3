"""A room includes only the rooms that tools/room_edges.txt allows."""

import unittest

import sources


def read_edges():
    edges = {}
    for line in (sources.ROOT / "tools" / "room_edges.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            room, _, allowed = line.partition(":")
            edges[room] = allowed.split()
    return edges


def room_of(edges, path):
    """The room of "rhumb/<room>/…": the longest listed one, so a sub-room counts by itself."""
    parts = path.split("/")[1:-1]
    names = ["/".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((name for name in names if name in edges), None)


def allows(edges, room, include):
    """Whether a file of room may include "rhumb/<other>/<header>". Strangers may enter every sub-room."""
    other = room_of(edges, include)
    house, own_house = other.split("/")[0], room.split("/")[0]
    return (other == room or other in edges[room] or include.removeprefix("rhumb/") in edges[room]
            or (house in edges[room] and house != own_house))


class IncludeEdges(unittest.TestCase):
    edges = read_edges()

    def test_the_rule_itself(self):
        edges = {"core": [], "sim": ["core"], "learn/ppo": ["core"], "learn/device": ["core"]}
        edges |= {"learn": ["learn/ppo"], "cli": ["sim", "learn/library.h"]}
        edges |= {"core/math": ["core"], "core/files": ["core"]}
        self.assertTrue(allows(edges, "sim", "rhumb/core/error.h"))
        self.assertTrue(allows(edges, "sim", "rhumb/sim/model.h"))
        self.assertFalse(allows(edges, "core", "rhumb/sim/model.h"))
        self.assertTrue(allows(edges, "sim", "rhumb/core/math/random.h"))
        self.assertTrue(allows(edges, "core/files", "rhumb/core/error.h"))
        self.assertFalse(allows(edges, "core/files", "rhumb/core/math/random.h"))
        self.assertFalse(allows(edges, "core", "rhumb/core/math/random.h"))
        self.assertTrue(allows(edges, "cli", "rhumb/learn/library.h"))
        self.assertFalse(allows(edges, "cli", "rhumb/learn/ppo.h"))
        self.assertTrue(allows(edges, "learn", "rhumb/learn/ppo/cohort.h"))
        self.assertFalse(allows(edges, "learn/device", "rhumb/learn/ppo/cohort.h"))
        self.assertFalse(allows(edges, "learn/ppo", "rhumb/learn/library.h"))
        self.assertTrue(allows(edges, "learn/ppo", "rhumb/learn/ppo/cuda/graph.h"))

    def test_edges_point_to_lower_rooms(self):
        rooms = list(self.edges)
        for room, allowed in self.edges.items():
            for edge in allowed:
                target = edge if edge in rooms else edge.rsplit("/", 1)[0]
                self.assertLess(rooms.index(target), rooms.index(room), f"{room}: {edge}")

    def test_every_room_is_listed(self):
        for path in sources.files(".cc", ".h"):
            if path.parts[0] == "rhumb":
                room = room_of(self.edges, str(path))
                self.assertIsNotNone(room, f"{path} is in no room of tools/room_edges.txt")

    def test_includes_follow_the_edges(self):
        for path in sources.files(".cc", ".h"):
            if path.parts[0] == "rhumb":
                for include in sources.own_includes(path):
                    with self.subTest(file=str(path), include=include):
                        self.assertTrue(allows(self.edges, room_of(self.edges, str(path)), include))


if __name__ == "__main__":
    unittest.main()
