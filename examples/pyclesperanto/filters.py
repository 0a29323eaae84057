"""Filters of pyclesperanto for three-dimensional microscopy images, compared with SciPy's."""

import numpy
import pyclesperanto as cle
from scipy import ndimage

cle.select_device("")
rng = numpy.random.default_rng(1)
image = rng.random((13, 48, 61), dtype=numpy.float32)
blobs = ndimage.gaussian_filter(image, 3)
mask = (blobs > numpy.quantile(blobs, 0.8)).astype(numpy.float32)

checks = {
    "Gaussian": (
        cle.gaussian_blur(image, sigma_x=2, sigma_y=2, sigma_z=1),
        ndimage.gaussian_filter(image, (1, 2, 2), mode="nearest"),
        1e-5,
    ),
    "mean of a box": (
        cle.mean_filter(image, radius_x=2, radius_y=2, radius_z=1, connectivity="box"),
        ndimage.uniform_filter(image, (3, 5, 5), mode="nearest"),
        1e-5,
    ),
    "maximum of a box": (
        cle.maximum_filter(image, radius_x=2, radius_y=1, radius_z=1, connectivity="box"),
        ndimage.maximum_filter(image, (3, 3, 5), mode="nearest"),
        0,
    ),
    "minimum of a box": (
        cle.minimum_filter(image, radius_x=1, radius_y=2, radius_z=1, connectivity="box"),
        ndimage.minimum_filter(image, (3, 5, 3), mode="nearest"),
        0,
    ),
    "threshold": (cle.greater_constant(image, scalar=0.5), image > 0.5, 0),
    "sum along an axis": (cle.sum_z_projection(image), image.sum(axis=0), 1e-5),
    "maximum along an axis": (cle.maximum_z_projection(image), image.max(axis=0), 0),
    "product": (cle.multiply_images(image, blobs), image * blobs, 1e-6),
    "transpose": (cle.transpose_xy(image), image.transpose(0, 2, 1), 0),
}
for name, (got, expected, allowed) in checks.items():
    error = abs(numpy.asarray(got).astype(float) - expected).max()
    print(f"{name}: error {error:.1e}")
    assert error <= allowed, name

# The numbering of components is unspecified; the sets of pixels are not.
labels, count = ndimage.label(mask, numpy.ones((3, 3, 3)))
got = numpy.asarray(cle.connected_component_labeling(mask, connectivity="box")).astype(int)
pairs = numpy.unique(numpy.stack([got.ravel(), labels.ravel()]), axis=1)
print(f"connected components: {got.max()} of {count}")
assert got.max() == count and pairs.shape[1] == count + 1
print(f"{len(checks) + 1} operations agree with SciPy's")
