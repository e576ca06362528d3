"""Draws a population: every kept policy in objective space, and how each agent learned.

    python population.py POPULATION.json OUT.png
"""

import itertools

import numpy as np
import objective_space as space


class Agent:
    def __init__(self, document):
        self.id = document["id"]
        self.colour = space.colour(document["weights"])
        curves = document["curves"]
        self.iterations = np.array(curves["iteration"])
        self.returns = np.array(curves["returns"], float)  # [T, K]
        self.returns[np.array(curves["episode_length"]) == 0] = np.nan  # no episode had ended yet
        kept = np.searchsorted(self.iterations, document["kept_iterations"])
        known = self.returns[kept]
        self.kept = known[np.isfinite(known).all(axis=1)]  # [P, K]


def draw_plane(axes, agents, first, second, names, units):
    """Two objectives: each agent's way through training, its kept policies, the best trade-offs."""
    everything = np.concatenate([agent.kept[:, [first, second]] for agent in agents])
    for agent in agents:
        x, y = agent.kept[:, first], agent.kept[:, second]
        axes.plot(x, y, color=agent.colour, lw=0.6, alpha=0.35, zorder=1)
        axes.scatter(x, y, s=14, color=agent.colour, lw=0, alpha=0.75, zorder=2)
    front = everything[space.is_undominated(everything)]
    front = front[np.argsort(front[:, 0])]
    dashes = {"lw": 0.9, "ls": (0, (4, 2)), "label": "no policy is better in both"}
    axes.plot(*front.T, color=space.INK, zorder=3, **dashes)
    mark_last(axes, agents, lambda agent: agent.kept[-1, [first, second]])
    axes.set_xlabel(space.label(names[first], units, "return of "))
    axes.set_ylabel(space.label(names[second], units, "return of "))


def draw_triangle(axes, agents, names, units):
    """Three objectives: the shares of the scaled returns; the bigger, the better in all."""
    points = np.concatenate([agent.kept for agent in agents])
    places, sizes = space.draw_triangle(axes, names, points, units)
    begin = 0
    last = {}
    for agent in agents:
        own = slice(begin, begin + len(agent.kept))
        begin += len(agent.kept)
        axes.plot(*places[own].T, color=agent.colour, lw=0.5, alpha=0.3, zorder=1)
        axes.scatter(*places[own].T, s=sizes[own], color=agent.colour, lw=0, alpha=0.7, zorder=2)
        last[agent.id] = places[own][-1]
    mark_last(axes, agents, lambda agent: last[agent.id])


def mark_last(axes, agents, place):
    """The policy each agent ended with, and its number."""
    for agent in agents:
        x, y = place(agent)
        axes.scatter(x, y, s=46, color=agent.colour, edgecolor="white", lw=1, zorder=4)
        axes.annotate(
            str(agent.id), (x, y), xytext=(5, 4), textcoords="offset points", fontsize=10, zorder=5
        )


def draw_curves(axes, agents, objective, title):
    for agent in agents:
        axes.plot(agent.iterations, agent.returns[:, objective], color=agent.colour, lw=1.1)
    axes.set_title(title)
    axes.margins(x=0.01)


def draw(document, path):
    agents = [Agent(agent) for agent in document["agents"] if agent["kept_iterations"]]
    agents = [agent for agent in agents if len(agent.kept)]
    if not agents:
        raise SystemExit("no agent of this population has a kept policy with returns: there is nothing to draw")
    names = [entry["name"] for entry in document["objectives"]]
    units = {entry["name"]: entry["unit"] for entry in document["objectives"]}
    count = sum(len(agent.kept) for agent in agents)

    figure = space.new_figure(12.5, max(6.5, 2.1 * len(names)), font=11)
    space.set_title(
        figure,
        f"{document['environment']['id']}, rewards {document['environment']['rewards']}: {count} policies of "
        f"{len(agents)} agents",
    )
    left, right = figure.subfigures(1, 2, width_ratios=(1.25, 1))
    curves = right.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for k, axes in enumerate(curves):
        draw_curves(axes, agents, k, space.label(names[k], units, "Return of "))
    curves[-1].set_xlabel("iteration of training")

    if len(names) <= 2:
        axes = left.subplots()
        draw_plane(axes, agents, 0, len(names) - 1, names, units)
        axes.legend(loc="best")
        axes.set_title("Kept policies; an agent's number stands at its last")
    elif len(names) == 3:
        axes = left.subplots()
        draw_triangle(axes, agents, names, units)
        title = "Kept policies by share of each scaled objective; bigger is better in all"
        axes.set_title(title, x=0.02)
    else:
        pairs = list(itertools.combinations(range(len(names)), 2))
        columns = int(np.ceil(np.sqrt(len(pairs))))
        axes = left.subplots(-(-len(pairs) // columns), columns, squeeze=False)
        for panel in axes.flat[len(pairs) :]:
            panel.set_axis_off()
        for panel, (first, second) in zip(axes.flat, pairs):
            draw_plane(panel, agents, first, second, names, {})
        left.suptitle("Kept policies, two objectives at a time", x=0.02, ha="left")
    space.add_colour_key(left, axes, names)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
