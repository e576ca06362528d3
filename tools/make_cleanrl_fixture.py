"""Writes the fixture of CleanRL in tests/python/fixtures: CleanRL's own ppo_continuous_action.py, unchanged,
learns for one iteration and saves its agent; beside it stand the actions that the agent gives.

    git clone https://github.com/vwxyzjn/cleanrl && git -C cleanrl checkout fe8d8a03c41a7ef5b523e2e354bd01c363e786bb
    pip install torch==2.11.0 "gymnasium[mujoco]==0.29.1" mujoco==2.3.7 "numpy<2" tyro tensorboard
    python tools/make_cleanrl_fixture.py cleanrl tests/python/fixtures

CleanRL needs an older Gymnasium than the other libraries, so this is apart from make_policy_fixtures.py.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

CLONE, OUT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
NAME = "ppo_continuous_action"
sys.path.insert(0, str(CLONE))


def main():
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, CLONE / f"cleanrl/{NAME}.py", "--save-model", "--no-cuda", "--env-id", "Hopper-v4"]
        command += ["--total-timesteps", "512", "--num-steps", "512", "--update-epochs", "4"]
        # It plays and films its agent after it has saved it. That part may fail where nothing can be drawn.
        subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(CLONE)})
        (saved,) = pathlib.Path(folder).glob(f"runs/*/{NAME}.cleanrl_model")
        (OUT / saved.name).write_bytes(saved.read_bytes())

    import gymnasium
    import torch
    from cleanrl.ppo_continuous_action import Agent

    agent = Agent(gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("Hopper-v4")]))
    agent.load_state_dict(torch.load(OUT / f"{NAME}.cleanrl_model"))
    seen = np.random.default_rng(3).normal(0, 1.5, (16, 11))
    with torch.no_grad():
        actions = agent.actor_mean(torch.tensor(seen, dtype=torch.float32)).numpy()
        std = agent.actor_logstd.exp().numpy().ravel()
    np.savez(OUT / "cleanrl.npz", observations=seen, actions=actions, std=std)


if __name__ == "__main__":
    main()
