"""A training step of the same representation as a user of PyTorch writes it, eager, timed.

Run by compare.py:

    python eager.py THREADS STEPS    prints {"ms_per_step", "parameters"}

The model is the default of `rhumb model train`: set transformer, decoder with a deviation of the code
alone, a projection per label; dropout, distillation by KL, Rank-N-Contrast over all triples, clipped
gradients, AdamW. Data are random, of HalfCheetah's sizes.
"""

import json
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

OBSERVATIONS, ACTIONS, LABELS = 17, 6, 2
EPISODES, STEPS = 640, 1000
BATCH, CONTEXT, QUERIES = 64, 32, 128
CODE, PROJECTION, HIDDEN, HEADS, LAYERS = 32, 4, 256, 4, 2
DROPOUT, TEMPERATURE, ALPHA, BETA, ZETA = 0.1, 0.5, 1.0, 0.05, 5.0


class Layer(nn.Module):
    """Pre-norm; dropout on the attention's weights, on its output and on the feed-forward's."""

    def __init__(self):
        super().__init__()
        self.attention_norm, self.feed_norm = nn.LayerNorm(CODE), nn.LayerNorm(CODE)
        self.queries_keys_values, self.attention_output = nn.Linear(CODE, 3 * CODE), nn.Linear(CODE, CODE)
        self.feed_in, self.feed_out = nn.Linear(CODE, 4 * CODE), nn.Linear(4 * CODE, CODE)

    def forward(self, x):
        n, tokens, _ = x.shape
        parts = self.queries_keys_values(self.attention_norm(x)).view(n, tokens, 3, HEADS, -1)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(queries, keys, values, dropout_p=DROPOUT)
        mixed = mixed.transpose(1, 2).reshape(n, tokens, CODE)
        x = x + F.dropout(self.attention_output(mixed), DROPOUT)
        fed = self.feed_out(F.gelu(self.feed_in(self.feed_norm(x))))
        return x + F.dropout(fed, DROPOUT)


def perceptron(*sizes):
    layers = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        token = OBSERVATIONS + ACTIONS
        self.class_token = nn.Parameter(0.02 * torch.randn(token))
        self.tokens = perceptron(token, HIDDEN, CODE)
        self.layers = nn.Sequential(*(Layer() for _ in range(LAYERS)))
        self.last_norm = nn.LayerNorm(CODE)
        self.posterior = nn.Linear(CODE, 2 * CODE)
        self.states = nn.Sequential(perceptron(OBSERVATIONS, HIDDEN, HIDDEN), nn.ReLU())
        self.joint = perceptron(HIDDEN + CODE, HIDDEN, HIDDEN, ACTIONS)
        self.deviation = perceptron(CODE, HIDDEN, HIDDEN, ACTIONS)
        self.projections = nn.ModuleList(nn.Linear(CODE, PROJECTION) for _ in range(LABELS))
        for projection in self.projections:
            nn.init.orthogonal_(projection.weight)

    def encode(self, tokens):
        first = self.class_token.expand(len(tokens), 1, -1)
        x = self.layers(self.tokens(torch.cat([first, F.dropout(tokens, DROPOUT)], 1)))
        mean, log_deviation = self.posterior(self.last_norm(x[:, 0])).chunk(2, -1)
        return mean, log_deviation.clamp(-10, 2)

    def decode(self, states, code):
        codes = code[:, None].expand(-1, states.shape[1], -1)
        mean = self.joint(torch.cat([self.states(states), codes], -1))
        return mean, self.deviation(code)[:, None].clamp(-20, 2)


def rank_contrast(z, labels):
    """Over all triples, with a mask [n, n, n]: how it is usually written."""
    n = len(z)
    itself = torch.eye(n, dtype=torch.bool)
    similarity = -(z[:, None] - z[None]).square().sum(-1).add(1e-12).sqrt() / TEMPERATURE
    distance = (labels[:, None] - labels[None]).abs()
    farther = (distance[:, None, :] >= distance[:, :, None]) & ~itself[:, None, :]
    sums = similarity[:, None, :].expand(n, n, n).masked_fill(~farther, -torch.inf).logsumexp(-1)
    return (sums - similarity).masked_fill(itself, 0).sum() / (n * (n - 1))


class Trainer:
    def __init__(self):
        self.model = Model()
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        rows = EPISODES * STEPS
        self.states, self.actions = torch.randn(rows, OBSERVATIONS), torch.rand(rows, ACTIONS) * 2 - 1
        self.means = torch.rand(rows, ACTIONS) * 2 - 1
        self.log_deviations = torch.randn(rows, ACTIONS) * 0.1 - 0.5
        self.labels = 1000 * torch.randn(EPISODES, LABELS, dtype=torch.float64)

    def step(self, episodes):
        """episodes [2 * BATCH]: two contexts of each, side by side."""
        starts = episodes[:, None] * STEPS
        context = starts + torch.randint(STEPS, (len(episodes), CONTEXT))
        queries = starts + torch.randint(STEPS, (len(episodes), QUERIES))
        tokens = torch.cat([self.states[context], self.actions[context]], -1)
        mean, log_deviation = self.model.encode(tokens)
        code = mean + log_deviation.exp() * torch.randn_like(mean)

        action, deviation = self.model.decode(self.states[queries], code)
        teacher, teacher_deviation = self.means[queries], self.log_deviations[queries]
        squares = (2 * teacher_deviation).exp() + (teacher - action).square()
        terms = deviation - teacher_deviation + 0.5 * squares * (-2 * deviation).exp() - 0.5
        reconstruction = terms.sum(-1).mean()
        posterior = 0.5 * (mean.square() + (2 * log_deviation).exp() - 1 - 2 * log_deviation).sum(-1).mean()
        loss = reconstruction + BETA * posterior
        for k, projection in enumerate(self.model.projections):
            weight = projection.weight
            loss = loss + ALPHA / LABELS * rank_contrast(projection(code), self.labels[episodes, k])
            loss = loss + ZETA / LABELS * (weight @ weight.T - torch.eye(PROJECTION)).square().sum()

        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()

    def run(self, steps):
        for step in range(steps):
            if step % (EPISODES // BATCH) == 0:
                order = torch.randperm(EPISODES).view(-1, BATCH)
            self.step(order[step % len(order)].repeat_interleave(2))


def main():
    threads, steps = int(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    trainer = Trainer()
    trainer.run(10)  # warm up
    start = time.perf_counter()
    trainer.run(steps)
    seconds = time.perf_counter() - start
    parameters = sum(parameter.numel() for parameter in trainer.model.parameters())
    print(json.dumps({"ms_per_step": 1e3 * seconds / steps, "parameters": parameters}))


if __name__ == "__main__":
    main()
