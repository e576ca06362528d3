#!/usr/bin/env python3
"""Writes the golden values of representation learning, tests/learn/golden/representation.json.

    python tools/make_representation_golden.py

Plain PyTorch in double precision, with autograd, torch.distributions and torch.nn's own transformer
layer; the contrast is evaluated as its definition reads, term by term. Nothing of it is shared with
rhumb/learn. Needs the package torch alone, which the tests do not. Running it again writes the same
numbers to rounding.

The file holds, for every loss, random inputs with the loss and its gradients; and a tiny network with
its weights, what it puts out, the training loss and the gradients of every parameter, for both sources
of the decoder's deviation. Inputs are multiples of 1/256, so that they are the same in float.
"""

import json
import pathlib

import torch
from torch.distributions import Normal, kl_divergence

FILE = pathlib.Path(__file__).resolve().parent.parent / "tests" / "learn" / "golden" / "representation.json"

SIZES = {
    "observations": 3,
    "actions": 2,
    "labels": 2,
    "code": 8,
    "projection": 2,
    "attention_heads": 2,
    "layers": 2,
    "hidden": 6,
    "batch": 3,
    "context": 5,
    "queries": 4,
}
WEIGHTS = {"alpha": 0.7, "beta": 0.3, "zeta": 1.5, "temperature": 0.5}


def rounded(values):
    return (values * 256).round() / 256


def draw(*shape, scale=1.0):
    return rounded(scale * torch.randn(*shape))


# --- the losses ----------------------------------------------------------------------------------


def rank_contrast(z, labels, temperature):
    """Rank-N-Contrast of z [K, n, Z] by labels [K, n], averaged over the K rankings."""
    rankings, n, _ = z.shape
    total = 0
    for k in range(rankings):
        similarity = lambda i, j: -torch.linalg.vector_norm(z[k, i] - z[k, j]) / temperature
        distance = lambda i, j: abs(labels[k, i] - labels[k, j])
        for i in range(n):
            others = [j for j in range(n) if j != i]
            for j in others:
                farther = [l for l in others if distance(i, l) >= distance(i, j)]
                sums = torch.logsumexp(torch.stack([similarity(i, l) for l in farther]), 0)
                total = total + sums - similarity(i, j)
    return total / (rankings * n * (n - 1))


def gaussian_nll(action, mean, log_deviation):
    return -Normal(mean, log_deviation.exp()).log_prob(action).sum(-1).mean()


def gaussian_kl(teacher_mean, teacher_log_deviation, mean, log_deviation):
    teacher = Normal(teacher_mean, teacher_log_deviation.exp())
    return kl_divergence(teacher, Normal(mean, log_deviation.exp())).sum(-1).mean()


def posterior_kl(mean, log_deviation):
    prior = Normal(torch.zeros_like(mean), torch.ones_like(mean))
    return kl_divergence(Normal(mean, log_deviation.exp()), prior).sum(-1).mean()


def orthonormality(weights, reduce=torch.sum):
    identity = torch.eye(weights.shape[1])
    return torch.stack([reduce((u @ u.T - identity) ** 2) for u in weights]).mean()


def info_nce(z, temperature):
    """Rows 2i and 2i + 1 are each other's positive."""
    losses = []
    for rows in z:
        cosine = torch.nn.functional.cosine_similarity(rows[:, None], rows[None], dim=-1)
        others = torch.where(torch.eye(len(rows)) == 1, -torch.inf, cosine / temperature)
        partners = torch.tensor([i ^ 1 for i in range(len(rows))])
        losses.append(torch.nn.functional.cross_entropy(others, partners))
    return torch.stack(losses).mean()


def solved(loss, given, **fixed):
    """The inputs, the loss, and its gradients by the inputs that are `given`."""
    for values in given.values():
        values.requires_grad_()
    value = loss(**given, **fixed)
    gradients = torch.autograd.grad(value, list(given.values()))
    return {**given, **fixed, "loss": value, "gradients": dict(zip(given, gradients))}


def solve_losses():
    torch.manual_seed(1)
    distinct = (100 * torch.randn(2, 12)).round()
    if any(len(row.unique()) < 12 for row in distinct):
        raise SystemExit("two labels are equal: choose another seed")
    # Both rankings tie: one at three levels, one at a single level.
    levels = torch.stack([torch.tensor([0.0, 1, 2] * 4), torch.full((12,), 7.0)])
    labels = {"distinct": distinct, "views": distinct[:, :6].repeat_interleave(2, 1), "ties": levels}
    by_rank = {
        name: solved(rank_contrast, {"z": draw(2, 12, 4)}, labels=values, temperature=0.5)
        for name, values in labels.items()
    }
    student = {"mean": draw(5, 3, 2), "log_deviation": draw(5, 3, 2, scale=0.5)}
    teacher = {"teacher_mean": draw(5, 3, 2), "teacher_log_deviation": draw(5, 3, 2, scale=0.5)}
    posterior = {"mean": draw(6, 4), "log_deviation": draw(6, 4, scale=0.5)}
    projections = draw(2, 3, 5, scale=0.5)
    sum_of, mean_of = (
        solved(lambda weights: orthonormality(weights, reduce), {"weights": projections.clone()})
        for reduce in (torch.sum, torch.mean)
    )
    return {
        "rank_contrast": by_rank,
        "gaussian_nll": solved(gaussian_nll, student, action=draw(5, 3, 2)),
        "gaussian_kl": solved(gaussian_kl, student, **teacher),
        "posterior_kl": solved(posterior_kl, posterior),
        "orthonormality_sum": sum_of,
        "orthonormality_mean": mean_of,
        "info_nce": solved(info_nce, {"z": draw(2, 12, 4)}, temperature=0.07),
    }


# --- the network ---------------------------------------------------------------------------------


class Network(torch.nn.Module):
    """Encoder, decoder and projections, of torch's own layers."""

    def __init__(self, deviation):
        super().__init__()
        linear = torch.nn.Linear
        states, actions, width = SIZES["observations"], SIZES["actions"], SIZES["code"]
        hidden, heads = SIZES["hidden"], SIZES["attention_heads"]
        token = states + actions
        self.class_token = torch.nn.Parameter(torch.zeros(token))
        self.token_in, self.token_out = linear(token, hidden), linear(hidden, width)
        self.layers = torch.nn.ModuleList(
            torch.nn.TransformerEncoderLayer(
                width, heads, 4 * width, dropout=0, activation="gelu", batch_first=True, norm_first=True
            )
            for _ in range(SIZES["layers"])
        )
        self.last_norm = torch.nn.LayerNorm(width)
        self.posterior = linear(width, 2 * width)
        self.state_in, self.state_out = linear(states, hidden), linear(hidden, hidden)
        self.joint_in, self.joint_hidden = linear(hidden + width, hidden), linear(hidden, hidden)
        self.joint_out = linear(hidden, actions if deviation == "code" else 2 * actions)
        self.deviation_layers = None
        if deviation == "code":
            sizes = [width, hidden, hidden, actions]
            self.deviation_layers = torch.nn.ModuleList(linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.projections = torch.nn.Parameter(torch.zeros(SIZES["labels"], SIZES["projection"], width))
        self.projections_bias = torch.nn.Parameter(torch.zeros(SIZES["labels"], 1, SIZES["projection"]))

    def encode(self, tokens):
        """tokens [n, C, T] -> mean, log-deviation [n, H]"""
        first = self.class_token.expand(len(tokens), 1, -1)
        x = self.token_out(self.token_in(torch.cat([first, tokens], 1)).relu())
        for layer in self.layers:
            x = layer(x)
        mean, log_deviation = self.posterior(self.last_norm(x[:, 0])).chunk(2, -1)
        return mean, log_deviation.clamp(-10, 2)

    def decode(self, states, code):
        """states [n, Q, O], code [n, H] -> mean, log-deviation [n, Q, A]"""
        seen = self.state_out(self.state_in(states).relu()).relu()
        code = code[:, None].expand(-1, states.shape[1], -1)
        x = self.joint_hidden(self.joint_in(torch.cat([seen, code], -1)).relu()).relu()
        if self.deviation_layers is None:
            mean, log_deviation = self.joint_out(x).chunk(2, -1)
        else:
            mean, log_deviation = self.joint_out(x), code
            for i, layer in enumerate(self.deviation_layers):
                log_deviation = layer(log_deviation if i == 0 else log_deviation.relu())
        return mean, log_deviation.clamp(-20, 2)

    def project(self, code):
        """code [n, H] -> z [K, n, Z]"""
        return torch.einsum("kzh,nh->knz", self.projections, code) + self.projections_bias

    def fill(self, seed):
        """Random weights. A few biases push a log-deviation past either end of its range."""
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name, values in self.named_parameters():
                scale = 0.8 / values.shape[-1] ** 0.5 if values.dim() > 1 else 0.25
                drawn = rounded(scale * torch.randn(values.shape, generator=generator))
                values.copy_(drawn + 1 if "norm" in name and name.endswith("weight") else drawn)
            self.posterior.bias[SIZES["code"]] += 4
            self.posterior.bias[SIZES["code"] + 1] -= 14
            last = self.joint_out if self.deviation_layers is None else self.deviation_layers[-1]
            last.bias[-1] += 2

    def named(self, part=lambda parameter: parameter):
        """Parameters, or a part of them, by the names and in the layouts of rhumb/learn."""
        rows = {"encoder.class_token": part(self.class_token)}

        def add(name, layer):
            rows[name + ".weight"], rows[name + ".bias"] = part(layer.weight), part(layer.bias)

        for name in ("token_in", "token_out", "last_norm", "posterior"):
            add(f"encoder.{name}", getattr(self, name))
        for i, layer in enumerate(self.layers):
            name = f"encoder.layer_{i}_"
            add(name + "attention_norm", layer.norm1)
            rows[name + "queries_keys_values.weight"] = part(layer.self_attn.in_proj_weight)
            rows[name + "queries_keys_values.bias"] = part(layer.self_attn.in_proj_bias)
            add(name + "attention_output", layer.self_attn.out_proj)
            add(name + "feed_norm", layer.norm2)
            add(name + "feed_in", layer.linear1)
            add(name + "feed_out", layer.linear2)
        for name in ("state_in", "state_out", "joint_hidden", "joint_out"):
            add(f"decoder.{name}", getattr(self, name))
        # The first joint layer in two: the columns that see the state, those that see the code.
        seen = SIZES["hidden"]
        rows["decoder.joint_state.weight"] = part(self.joint_in.weight)[:, :seen]
        rows["decoder.joint_code.weight"] = part(self.joint_in.weight)[:, seen:]
        rows["decoder.joint_code.bias"] = part(self.joint_in.bias)
        if self.deviation_layers is not None:
            for name, layer in zip(("in", "hidden", "out"), self.deviation_layers):
                add(f"decoder.deviation_{name}", layer)
        rows["projections.weights"] = part(self.projections)
        rows["projections.bias"] = part(self.projections_bias)
        return rows


def solve_network(deviation, inputs):
    network = Network(deviation)
    network.fill(5)
    mean, log_deviation = network.encode(inputs["tokens"])
    code = mean + log_deviation.exp() * inputs["noise"]
    action_mean, action_log_deviation = network.decode(inputs["states"], code)
    z = network.project(code)
    losses = {
        "reconstruction": gaussian_kl(
            inputs["teacher_mean"], inputs["teacher_log_deviation"], action_mean, action_log_deviation
        ),
        "posterior": posterior_kl(mean, log_deviation),
        "contrast": rank_contrast(z, inputs["labels"], WEIGHTS["temperature"]),
        "orthonormality": orthonormality(network.projections),
    }
    loss = (
        losses["reconstruction"]
        + WEIGHTS["beta"] * losses["posterior"]
        + WEIGHTS["alpha"] * losses["contrast"]
        + WEIGHTS["zeta"] * losses["orthonormality"]
    )
    loss.backward()
    for values, low, high in ((log_deviation, -10, 2), (action_log_deviation, -20, 2)):
        if not (values >= high).any() or (low == -10 and not (values <= low).any()):
            raise SystemExit("no log-deviation beyond its range: choose other biases")
    return {
        "parameters": network.named(),
        "mean": mean,
        "log_deviation": log_deviation,
        "action_mean": action_mean,
        "action_log_deviation": action_log_deviation,
        "z": z,
        "losses": losses,
        "loss": loss,
        "gradients": network.named(lambda parameter: parameter.grad),
    }


def solve_networks():
    torch.manual_seed(2)
    contexts, queries, actions = 2 * SIZES["batch"], SIZES["queries"], SIZES["actions"]
    inputs = {
        "tokens": draw(contexts, SIZES["context"], SIZES["observations"] + actions),
        "noise": draw(contexts, SIZES["code"], scale=0.25),
        "states": draw(contexts, queries, SIZES["observations"]),
        "teacher_mean": draw(contexts, queries, actions),
        "teacher_log_deviation": draw(contexts, queries, actions, scale=0.3),
        # Two contexts of an episode stand side by side and have its labels.
        "labels": (100 * torch.randn(SIZES["labels"], SIZES["batch"])).round().repeat_interleave(2, 1),
    }
    by_source = {source: solve_network(source, inputs) for source in ("code", "state")}
    return {"sizes": SIZES, "weights": WEIGHTS, "inputs": inputs, "deviation": by_source}


def text_of(value, depth=0):
    """JSON with a line per tensor, nine digits of every number."""
    if isinstance(value, torch.Tensor):
        return text_of(value.tolist())
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    if isinstance(value, dict):
        indent = " " * (depth + 1)
        rows = [f"{indent}{json.dumps(key)}: {text_of(row, depth + 1)}" for key, row in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * depth + "}"
    return json.dumps(value)


def main():
    torch.set_default_dtype(torch.float64)
    FILE.write_text(text_of({**solve_losses(), "network": solve_networks()}) + "\n")


if __name__ == "__main__":
    main()
