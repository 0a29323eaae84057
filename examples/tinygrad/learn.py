"""Operations of tinygrad, which writes its kernels itself, on OpenCL, compared with NumPy; and a small
network that learns."""

import numpy
from tinygrad import Context, Device, Tensor, nn

assert Device.DEFAULT == "CL", Device.DEFAULT
rng = numpy.random.default_rng(1)
a = rng.standard_normal((64, 96), dtype=numpy.float32)
b = rng.standard_normal((96, 80), dtype=numpy.float32)
image = rng.standard_normal((2, 3, 20, 17), dtype=numpy.float32)
weights = rng.standard_normal((5, 3, 3, 3), dtype=numpy.float32)

windows = numpy.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(2, 3))
exponentials = numpy.exp(a - a.max(axis=1, keepdims=True))
checks = {
    "matrix product": (Tensor(a) @ Tensor(b), a @ b),
    "sum": (Tensor(a).sum(axis=0), a.sum(axis=0)),
    "maximum": (Tensor(a).max(axis=1), a.max(axis=1)),
    "softmax": (Tensor(a).softmax(), exponentials / exponentials.sum(axis=1, keepdims=True)),
    "convolution": (
        Tensor(image).conv2d(Tensor(weights)),
        numpy.einsum("nchwij,ocij->nohw", windows, weights),
    ),
    "running sum": (Tensor(a).cumsum(axis=1), a.cumsum(axis=1)),
    "sort": (Tensor(a).sort(dim=1)[0], numpy.sort(a, axis=1)),
    "gather": (Tensor(a)[Tensor([5, 0, 63, 5])], a[[5, 0, 63, 5]]),
}
for name, (got, expected) in checks.items():
    error = abs(got.numpy() - expected).max() / abs(expected).max()
    print(f"{name}: error {error:.1e}")
    assert error < 1e-5, name

# A ring with a disc in it: not linearly separable.
angle = rng.uniform(0, 2 * numpy.pi, 256)
inner = numpy.arange(256) % 2
radius = numpy.where(inner == 1, 0.5, 1.5) + rng.uniform(-0.2, 0.2, 256)
points = numpy.stack([radius * numpy.cos(angle), radius * numpy.sin(angle)], 1)
points = Tensor(points.astype(numpy.float32))
labels = Tensor(inner.astype(numpy.int32))


class Network:
    def __init__(self):
        self.first, self.second = nn.Linear(2, 16), nn.Linear(16, 2)

    def __call__(self, x):
        return self.second(self.first(x).tanh())


Tensor.manual_seed(1)
network = Network()
optimiser = nn.optim.Adam(nn.state.get_parameters(network), lr=0.05)
losses = []
with Context(TRAINING=1):
    for _ in range(40):
        optimiser.zero_grad()
        loss = network(points).sparse_categorical_crossentropy(labels).backward()
        optimiser.step()
        losses.append(loss.item())
accuracy = (network(points).argmax(axis=1) == labels).mean().item()
print(f"loss from {losses[0]:.3f} to {losses[-1]:.3f}, {accuracy:.1%} right")
assert losses[-1] < 0.3 and accuracy > 0.95
print(f"{len(checks)} operations agree with NumPy, and a network learns")
