"""Draws the model: what the encoder, the projections, the value heads and the decoder are.

    python architecture.py MODEL.json OUT.png

MODEL.json is the model.json of a model folder; all sizes are taken from it.
"""

import objective_space as space
from matplotlib.patches import FancyBboxPatch

# The fill and the rim of each kind of box, and the words that explain.
LOOKS = {
    "data": ("#f4f5f6", "#9aa1a9"),
    "encoder": ("#dcebf5", space.BLUE),
    "code": ("#fbe9dd", space.VERMILION),
    "heads": ("#dcf1ea", space.GREEN),
    "decoder": ("#f3e4ee", space.PINK),
}
WORDS = "#4a525b"


class Sheet:
    """Boxes and arrows on a sheet of 100 by 53."""

    def __init__(self, axes):
        self.axes = axes
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 53)
        axes.set_aspect("equal")
        axes.set_axis_off()

    def box(self, kind, x, y, width, height, title, text=""):
        """Centred at (x, y); its title is over its text."""
        corner = (x - width / 2, y - height / 2)
        style = "round,pad=0,rounding_size=1"
        fill, rim = LOOKS[kind]
        look = {"facecolor": fill, "edgecolor": rim, "lw": 1.3, "zorder": 2}
        self.axes.add_patch(FancyBboxPatch(corner, width, height, style, **look))
        lines = text.count("\n") + 1 if text else 0
        lift = 1.05 * lines
        self.axes.text(x, y + lift, title, ha="center", va="center", fontsize=9.5, zorder=3)
        if text:
            self.axes.text(
                x, y + lift - 1.6, text, ha="center", va="top", fontsize=8, color=WORDS,
                linespacing=1.35, zorder=3,
            )  # fmt: skip

    def arrow(self, begin, end, bend=0.0):
        self.axes.annotate(
            "", end, begin, zorder=1,
            arrowprops={
                "arrowstyle": "-|>", "color": space.INK, "lw": 1.2, "shrinkA": 0, "shrinkB": 0,
                "mutation_scale": 11, "connectionstyle": f"arc3,rad={bend}",
            },
        )  # fmt: skip

    def note(self, x, y, text, **look):
        self.axes.text(x, y, text, **{"ha": "center", "va": "center", "fontsize": 8, **look})


def draw_encoder(sheet, sizes, hidden):
    """From a set of state-action pairs to the code."""
    token, width = sizes["observation_size"] + sizes["action_size"], sizes["token_width"]
    pooled = sizes["pooling"] == "class_token"
    sheet.note(31, 51.5, "encoder $g_\\theta$", color=space.BLUE, fontsize=11)
    for shift in (1.6, 0.8, 0):
        sheet.box("data", 8 + shift, 30 + shift, 13, 11, "", "")
    sheet.box(
        "data", 8, 30, 13, 11, f"{sizes['context']} pairs $(s, a)$",
        f"of one policy, a set\n$s$: {sizes['observation_size']}, $a$: {sizes['action_size']}",
    )  # fmt: skip
    if pooled:
        sheet.box("encoder", 8, 46, 13, 6.5, "CLS token", f"learned, {token}")
        sheet.arrow((14.5, 46), (19, 42))
    middle = f"{token} → {hidden} → {width}" if hidden else f"{token} → {width}"
    sheet.box("encoder", 25.5, 37, 13, 11, "token MLP", f"{middle}\nReLU, each alone")
    sheet.arrow((16.1, 31.5), (19, 34))
    count = sizes["transformer_layers"]
    for shift in [0.8 * i for i in reversed(range(min(count, 3)))]:
        sheet.box("encoder", 41.5 + shift, 37 + shift, 13, 11, "", "")
    sheet.box(
        "encoder", 41.5, 37, 13, 11, f"transformer × {count}",
        f"{sizes['attention_heads']} heads, width {width}\nno order of the pairs",
    )  # fmt: skip
    sheet.arrow((32, 37), (35, 37))
    code = sizes["code_size"]
    pooling = "of the CLS token" if pooled else "of the pairs' mean"
    sheet.box("encoder", 57, 37, 12, 11, "posterior", f"{pooling}\n$\\mu$, $\\sigma$: {code} each")
    sheet.arrow((48.9 if count > 1 else 48, 37), (51, 37))
    sheet.box("code", 57, 19.5, 12, 9, "code $h$", f"{code}, drawn from\n$N(\\mu, \\sigma^2)$")
    sheet.arrow((57, 31.5), (57, 24))


def draw_heads(sheet, sizes, objectives, grounded):
    """A projection and a value head for each objective."""
    shown = objectives[:3]
    step = min(10.0, 26 / max(1, len(shown)))
    middle = 49 - step * len(shown) / 2
    sheet.note(81, 51.5, "projections $u_k$ and value heads $v_k$", color=space.GREEN, fontsize=11)
    for k, objective in enumerate(shown):
        y = middle + step * ((len(shown) - 1) / 2 - k)
        name = objective["name"]
        sheet.box("heads", 73, y, 10, step - 2.5, f"$z_{k + 1}$", f"{sizes['projection_size']}")
        sheet.box("heads", 90.5, y, 17, step - 2.5, f"$v_{k + 1}$", name)
        sheet.arrow((63, 20.5), (68, y), bend=-0.06)
        sheet.arrow((78, y), (82, y))
    words = "$u_k$ and $v_k$ are linear"
    if len(objectives) > len(shown):
        words += f", and {len(objectives) - len(shown)} more"
    if grounded:
        words += ";\nvalues are forecast from rolled-out codes"
    sheet.note(84, middle - step * len(shown) / 2 - 1, words, va="top", color=WORDS)


def draw_decoder(sheet, sizes, hidden):
    """From a state and the code to a Gaussian action."""
    sheet.note(31, 2.6, "decoder $\\pi_\\phi$, the policy", color="#a3487a", fontsize=11)
    sheet.box("data", 8, 10.5, 13, 9, "state $s$", f"{sizes['observation_size']}")
    layers = f"2 × {hidden}, ReLU" if hidden else "ReLU"
    sheet.box("decoder", 25.5, 10.5, 13, 9, "state MLP", layers)
    sheet.box("decoder", 57, 6.5, 12, 8, "joint MLP", layers)
    sheet.arrow((14.5, 10.5), (19, 10.5))
    sheet.arrow((32, 9.5), (51, 7))
    sheet.arrow((57, 15), (57, 10.5))
    of_code = sizes["deviation_source"] == "code"
    source = "$\\sigma$ from $h$ alone" if of_code else "$\\mu$ and $\\sigma$ from both"
    sheet.box("decoder", 74, 9, 13, 9, "Gaussian", f"$N(\\mu(s, h), \\sigma^2)$\n{source}")
    sheet.arrow((63, 6.5), (67.5, 8))
    if of_code:
        sheet.arrow((63, 17), (70, 13.5), bend=-0.1)
    sheet.box("data", 92.5, 9, 13, 9, "action $a$", f"{sizes['action_size']}")
    sheet.arrow((80.5, 9), (86, 9))


def draw(document, path):
    sizes = document["architecture"]
    hidden = document.get("provenance", {}).get("config", {}).get("hidden")
    figure = space.new_figure(10, 5.7)
    environment = document["environment"]
    title = environment["id"] if isinstance(environment, dict) else environment
    space.set_title(figure, f"{title}, {document['variant']}: the model; plain numbers are widths")
    sheet = Sheet(figure.subplots())
    draw_encoder(sheet, sizes, hidden)
    draw_heads(sheet, sizes, document["objectives"], bool(document.get("grounded")))
    draw_decoder(sheet, sizes, hidden)
    space.save(figure, path)


if __name__ == "__main__":
    space.main(draw)
