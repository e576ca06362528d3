"""The decoder of a model folder in onnxruntime, timed.

Run by compare_decoder.py with a Python that has onnx, onnxruntime and numpy:

    python onnxruntime_decoder.py MODEL CALLS < samples.json

stdin is what bench_decoder writes. Prints JSON: per graph p50 and p99 in µs and the outputs for
those observations.
"""

import json
import pathlib
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

WARM_UP_CALLS = 2000
LOG_DEVIATION_RANGE = (-20.0, 2.0)


def read_safetensors(path):
    """Name -> array: 8 bytes with the header's length, the header in JSON, the arrays' bytes."""
    data = path.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    header.pop("__metadata__", None)
    types = {"F32": np.float32, "F64": np.float64, "I64": np.int64, "U8": np.uint8}
    return {
        name: np.frombuffer(data[begin + start : begin + stop], types[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
        for start, stop in [entry["data_offsets"]]
    }


class Graph:
    """Nodes and weights of a network that is being written down."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def add(self, operator, inputs, **attributes):
        """The output of a new node; arrays among the inputs become constants."""
        names = []
        for value in inputs:
            if isinstance(value, np.ndarray):
                self.weights.append(numpy_helper.from_array(value, f"w{len(self.weights)}"))
                value = self.weights[-1].name
            names.append(value)
        self.nodes.append(helper.make_node(operator, names, [f"n{len(self.nodes)}"], **attributes))
        return self.nodes[-1].output[0]

    def mlp(self, x, layers):
        """ReLU between the layers (weight [inputs, outputs], bias), none after the last."""
        for index, (weight, bias) in enumerate(layers):
            x = self.add("Gemm", [self.add("Relu", [x]) if index else x, weight, bias])
        return x

    def session(self, inputs, outputs):
        """inputs: name -> floats; outputs: name -> (what a node gave, floats)."""
        for name, (output, _) in outputs.items():
            self.nodes.append(helper.make_node("Identity", [output], [name]))
        declare = lambda name, size: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, size])
        graph = helper.make_graph(
            self.nodes,
            "decoder",
            [declare(name, size) for name, size in inputs.items()],
            [declare(name, size) for name, (_, size) in outputs.items()],
            self.weights,
        )
        opset = [helper.make_opsetid("", 17)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=8)
        onnx.checker.check_model(model)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        return onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])


def make_decoder(arrays, with_deviation):
    """normalised observation, code -> mean, log_deviation; a deviation of the code alone can be left out."""
    layer = lambda name: (arrays[f"decoder.{name}.weight"], arrays[f"decoder.{name}.bias"])

    def layers(name):
        count = sum(1 for array in arrays if array.startswith(f"decoder.{name}.") and array.endswith(".weight"))
        return [layer(f"{name}.{index}") for index in range(count)]

    graph = Graph()
    state = graph.add("Relu", [graph.mlp("observation", layers("state"))])
    (by_state, state_bias), (by_code, code_bias) = layer("joint_state"), layer("joint_code")
    first = (np.concatenate([by_state, by_code]), state_bias + code_bias)
    output = graph.mlp(graph.add("Concat", [state, "code"], axis=1), [first, *layers("joint")])
    size = layers("joint")[-1][1].size
    if layers("deviation"):
        mean, actions = output, size
        deviation = graph.mlp("code", layers("deviation")) if with_deviation else None
    else:
        actions = size // 2
        part = lambda begin, end: graph.add("Slice", [output, np.array([begin]), np.array([end]), np.array([1])])
        mean, deviation = part(0, actions), part(actions, size)
    outputs = {"mean": (mean, actions)}
    if deviation is not None:
        bounds = [np.array(bound, np.float32) for bound in LOG_DEVIATION_RANGE]
        outputs["log_deviation"] = (graph.add("Clip", [deviation, *bounds]), actions)
    inputs = {"observation": layers("state")[0][0].shape[0], "code": by_code.shape[0]}
    return graph.session(inputs, outputs)


class BoundSession:
    """A session with its inputs and outputs bound to arrays that stay where they are."""

    def __init__(self, session):
        self.session, self.binding = session, session.io_binding()
        self.arrays = {}
        for values, bind in (
            (session.get_inputs(), self.binding.bind_input),
            (session.get_outputs(), self.binding.bind_output),
        ):
            for value in values:
                array = self.arrays[value.name] = np.zeros(value.shape, np.float32)
                bind(value.name, "cpu", 0, np.float32, array.shape, array.ctypes.data)

    def time(self, observations, calls):
        """Times of `calls` calls in µs, sorted; an observation is put in place before the clock starts."""
        run, binding, clock = self.session.run_with_iobinding, self.binding, time.perf_counter_ns
        place = self.arrays["observation"]
        times = []
        for call in range(WARM_UP_CALLS + calls):
            place[0] = observations[call % len(observations)]
            start = clock()
            run(binding)
            times.append(clock() - start)
        return sorted(1e-3 * time for time in times[WARM_UP_CALLS:])

    def outputs(self, observations):
        """Name -> what comes out for each observation."""
        rows = {output.name: [] for output in self.session.get_outputs()}
        for observation in observations:
            self.arrays["observation"][0] = observation
            self.session.run_with_iobinding(self.binding)
            for name, row in rows.items():
                row.append(self.arrays[name][0].tolist())
        return rows


def main():
    folder, calls = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    ours = json.load(sys.stdin)
    arrays = read_safetensors(folder / "model.safetensors")
    raw = np.array([sample["observation"] for sample in ours["samples"]], np.float32)
    mean, scale = arrays["observations.mean"], arrays["observations.inverse_scale"]
    limit = arrays["observations.limit"]
    observations = np.clip((raw - mean) * scale, -limit, limit)

    width = raw.shape[1]
    sessions = {
        "decoder": make_decoder(arrays, with_deviation=True),
        "mean alone": make_decoder(arrays, with_deviation=False),
        "nothing": Graph().session({"observation": width}, {"same": ("observation", width)}),
    }
    results = {}
    for name, session in sessions.items():
        bound = BoundSession(session)
        if "code" in bound.arrays:
            bound.arrays["code"][0] = ours["code"]
        times = bound.time(observations, calls)
        quantile = lambda level: times[int(level * (len(times) - 1))]
        results[name] = {"p50_us": quantile(0.5), "p99_us": quantile(0.99), "outputs": bound.outputs(observations)}
    print(json.dumps(results))


if __name__ == "__main__":
    main()
