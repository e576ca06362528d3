#!/usr/bin/env python3
"""Writes the golden values of PPO's minibatch step, tests/learn/golden/ppo_ACTIVATION.json.

    python tools/make_ppo_golden.py

Plain PyTorch in double precision, with autograd, torch.distributions and torch.optim.Adam: nothing of
it is shared with rhumb/learn, where gradients are written out. Needs the package torch alone, which the
tests do not. Running it again writes the same numbers to rounding.

A file holds one tiny problem of two agents: networks before and after the policy moved (so that some
ratios are clipped from above and some from below), experience, and the answers: ratios, loss and
gradients of one minibatch, and the parameters after an update of two epochs of two minibatches.
"""

import json
import pathlib

import torch

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "learn" / "golden"

AGENTS, ROWS, OBSERVATIONS, ACTIONS = 2, 16, 3, 2
HIDDEN = [5, 4]
EPOCHS, MINIBATCHES = 2, 2
SETTINGS = {
    "clip": 0.2,
    "value_coefficient": 0.5,
    "entropy_coefficient": 0.01,
    "max_gradient_norm": 0.5,
    "learning_rate": 1e-2,
    "adam_epsilon": 1e-5,
}
# Chosen so that each minibatch has ratios clipped on both sides, and each update a gradient to scale.
SEEDS = {"relu": [3, 7], "elu": [3, 4], "tanh": [3, 4]}


class Agent(torch.nn.Module):
    """A Gaussian policy with a deviation of its own, and a value network beside it."""

    def __init__(self, activation):
        super().__init__()
        self.policy = self.network(ACTIONS, activation)
        self.value = self.network(1, activation)
        self.log_deviation = torch.nn.Parameter(torch.full((ACTIONS,), -0.5))

    @staticmethod
    def network(outputs, activation):
        widths = [OBSERVATIONS, *HIDDEN]
        layers = []
        for inputs, width in zip(widths, HIDDEN):
            layers += [torch.nn.Linear(inputs, width), activation()]
        return torch.nn.Sequential(*layers, torch.nn.Linear(HIDDEN[-1], outputs))

    def log_probability(self, observations, actions):
        normal = torch.distributions.Normal(self.policy(observations), self.log_deviation.exp())
        return normal.log_prob(actions).sum(-1)

    def loss(self, batch, old_log_probability):
        ratio = (self.log_probability(batch["observations"], batch["actions"]) - old_log_probability).exp()
        clipped = ratio.clamp(1 - SETTINGS["clip"], 1 + SETTINGS["clip"])
        gain = torch.min(ratio * batch["advantages"], clipped * batch["advantages"]).mean()
        error = (self.value(batch["observations"]).squeeze(-1) - batch["returns"]).square().mean()
        # The entropy of a Gaussian up to its constant, which has no gradient.
        entropy = self.log_deviation.sum()
        loss = -gain + SETTINGS["value_coefficient"] * error - SETTINGS["entropy_coefficient"] * entropy
        return loss, ratio

    def flat(self, part=lambda parameter: parameter):
        """Parameters in the order of the trainer: per layer weights [in, out], then the bias."""
        rows = []
        for network in (self.policy, self.value):
            for layer in network:
                if isinstance(layer, torch.nn.Linear):
                    rows += [part(layer.weight).T.reshape(-1), part(layer.bias)]
        return torch.cat([*rows, part(self.log_deviation)]).tolist()


def solve(activation, seed):
    """One agent's problem and its answers."""
    torch.manual_seed(seed)
    agent = Agent(activation)
    old = agent.flat()
    batch = {
        "observations": torch.randn(ROWS, OBSERVATIONS),
        "actions": 0.7 * torch.randn(ROWS, ACTIONS),
        "advantages": torch.randn(ROWS),
        "returns": torch.randn(ROWS),
    }
    with torch.no_grad():
        old_log_probability = agent.log_probability(batch["observations"], batch["actions"])
        for parameter in agent.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    new = agent.flat()

    rows = torch.randperm(ROWS)[: ROWS // MINIBATCHES]
    pick = lambda index: ({k: v[index] for k, v in batch.items()}, old_log_probability[index])
    loss, ratio = agent.loss(*pick(rows))
    loss.backward()
    advantages = batch["advantages"][rows]
    over = ((ratio > 1 + SETTINGS["clip"]) & (advantages > 0)).sum().item()
    under = ((ratio < 1 - SETTINGS["clip"]) & (advantages < 0)).sum().item()
    if not 0 < over + under < len(rows) - 2 or over == 0 or under == 0:
        raise SystemExit(f"seed {seed} clips {over} ratios above and {under} below: choose another")
    gradients = agent.flat(lambda parameter: parameter.grad)

    adam = torch.optim.Adam(agent.parameters(), SETTINGS["learning_rate"], eps=SETTINGS["adam_epsilon"])
    permutations = [torch.randperm(ROWS) for _ in range(EPOCHS)]
    norms = []
    for permutation in permutations:
        for minibatch in permutation.chunk(MINIBATCHES):
            adam.zero_grad()
            agent.loss(*pick(minibatch))[0].backward()
            norm = torch.nn.utils.clip_grad_norm_(agent.parameters(), SETTINGS["max_gradient_norm"])
            norms.append(norm.item())
            adam.step()
    return {
        "old_parameters": old,
        "parameters": new,
        **{name: rows_of.tolist() for name, rows_of in batch.items()},
        "rows": rows.tolist(),
        "ratios": ratio.tolist(),
        "loss": loss.item(),
        "gradients": gradients,
        "permutations": [permutation.tolist() for permutation in permutations],
        "gradient_norms": norms,
        "updated_parameters": agent.flat(),
    }


def main():
    torch.set_default_dtype(torch.float64)
    FOLDER.mkdir(exist_ok=True)
    for name, activation in (("relu", torch.nn.ReLU), ("elu", torch.nn.ELU), ("tanh", torch.nn.Tanh)):
        document = {
            "activation": name,
            "hidden": HIDDEN,
            **SETTINGS,
            "epochs": EPOCHS,
            "minibatches": MINIBATCHES,
            "agents": [solve(activation, seed) for seed in SEEDS[name]],
        }
        text = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items())
        (FOLDER / f"ppo_{name}.json").write_text("{\n" + text + "\n}\n")


if __name__ == "__main__":
    main()
