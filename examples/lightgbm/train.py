"""Trains gradient-boosted trees with LightGBM on an OpenCL device and on the CPU: histograms in
double precision give the same trees, and the same predictions."""

import lightgbm
import numpy

rng = numpy.random.default_rng(1)
features = rng.standard_normal((20_000, 30))
score = features[:, 0] * features[:, 1] + numpy.sin(features[:, 2]) + features[:, 3]
labels = (score > rng.standard_normal(len(score)) / 4).astype(int)


def predictions(device, bins):
    parameters = {
        "objective": "binary",
        "device_type": device,
        "gpu_use_dp": True,
        "max_bin": bins,
        "num_threads": 1,
        "seed": 1,
        "verbose": -1,
    }
    return lightgbm.train(parameters, lightgbm.Dataset(features, labels), 20).predict(features)


for bins in [15, 63, 255]:
    cpu, gpu = predictions("cpu", bins), predictions("gpu", bins)
    difference = abs(cpu - gpu).max()
    accuracy = ((gpu > 0.5) == labels).mean()
    print(f"{bins} bins: differs by {difference:.1e}, {accuracy:.1%} right")
    assert difference < 1e-6, difference
    assert accuracy > 0.8, accuracy
