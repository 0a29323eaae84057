"""OpenCV's transparent API: each pipeline runs on cv2.UMat, that is in OpenCL kernels, and
once more on NumPy arrays, that is on the CPU; both must agree. launches.c counts the
kernels, so that a pipeline which OpenCV quietly runs on the CPU fails."""

import ctypes
import os
import sys

import cv2
import numpy as np

launches = ctypes.CDLL(os.environ["OPENCV_OPENCL_RUNTIME"]).kernels_launched
launches.restype = ctypes.c_ulong

random = np.random.default_rng(12)
HEIGHT, WIDTH = 480, 640


def scene(shift=(0.0, 0.0)):
    """Blobs and edges of a grey image, moved by `shift` pixels in x and y."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    x, y = x - shift[0], y - shift[1]
    image = 90 + 50 * np.sin(x / 17) * np.cos(y / 23) + 40 * np.sin((x + 2 * y) / 41)
    image += 60 * (((x // 64) + (y // 48)) % 2)
    return np.clip(image, 0, 255).astype(np.uint8)


GREY = scene()
NOISY = np.clip(GREY + random.normal(0, 12, GREY.shape), 0, 255).astype(np.uint8)
COLOUR = np.stack([GREY, NOISY, 255 - GREY[::-1]], axis=-1)
FLOAT = (NOISY / 255).astype(np.float32)
MATRIX_A = random.standard_normal((300, 200), dtype=np.float32)
MATRIX_B = random.standard_normal((200, 250), dtype=np.float32)
MATRIX_C = random.standard_normal((300, 250), dtype=np.float32)
MAP_Y, MAP_X = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
MAP_X, MAP_Y = MAP_X + 5 * np.sin(MAP_Y / 20), MAP_Y + 5 * np.cos(MAP_X / 30)
ROTATION = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 27, 0.8)
PERSPECTIVE = np.array([[0.9, 0.1, 12], [-0.05, 1.05, 8], [1e-4, 5e-5, 1]])
ELLIPSE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))


def cascade(image):
    """Several steps, as in programs: their intermediate images never leave the device."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    blurred = cv2.GaussianBlur(grey, (5, 5), 1.2)
    _, mask = cv2.threshold(blurred, 120, 255, cv2.THRESH_BINARY)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, ELLIPSE)
    return cv2.bitwise_and(grey, closed)


def pyramid(image):
    """Down three times and up again: what is lost."""
    small = cv2.pyrDown(cv2.pyrDown(cv2.pyrDown(image)))
    return cv2.absdiff(image, cv2.pyrUp(cv2.pyrUp(cv2.pyrUp(small))))


# Name, function, inputs, the largest difference of an element, and the fraction of elements
# that may exceed it. Integer results may be rounded differently by 1; after several steps or
# at a threshold a few pixels may differ.
PIPELINES = [
    ("Gaussian blur", lambda i: cv2.GaussianBlur(i, (9, 9), 2.0), [NOISY], 1, 0),
    ("box filter of floats", lambda i: cv2.blur(i, (7, 5)), [FLOAT], 1e-5, 0),
    ("median blur", lambda i: cv2.medianBlur(i, 5), [NOISY], 0, 0),
    ("bilateral filter", lambda i: cv2.bilateralFilter(i, 9, 40, 5), [NOISY], 1, 0),
    ("2D convolution", lambda i: cv2.filter2D(i, cv2.CV_32F, np.arange(25, dtype=np.float32)
                                              .reshape(5, 5) / 300), [FLOAT], 1e-4, 0),
    ("separable filter", lambda i: cv2.sepFilter2D(i, cv2.CV_32F, np.float32([1, 4, 6, 4, 1]),
                                                   np.float32([1, 2, 1])), [GREY], 1e-2, 0),
    ("Sobel", lambda i: cv2.Sobel(i, cv2.CV_16S, 1, 1, ksize=5), [NOISY], 0, 0),
    ("Scharr", lambda i: cv2.Scharr(i, cv2.CV_32F, 1, 0), [FLOAT], 1e-4, 0),
    ("Laplacian", lambda i: cv2.Laplacian(i, cv2.CV_16S, ksize=5), [NOISY], 0, 0),
    ("Canny", lambda i: cv2.Canny(i, 60, 150), [NOISY], 0, 0.001),
    ("resize, linear", lambda i: cv2.resize(i, (401, 303)), [COLOUR], 1, 0),
    ("resize, nearest", lambda i: cv2.resize(i, (900, 777), interpolation=cv2.INTER_NEAREST),
     [FLOAT], 0, 0),
    ("resize, area", lambda i: cv2.resize(i, (213, 160), interpolation=cv2.INTER_AREA),
     [GREY], 1, 0),
    ("affine warp", lambda i: cv2.warpAffine(i, ROTATION, (WIDTH, HEIGHT)), [NOISY], 2, 0.002),
    ("perspective warp", lambda i: cv2.warpPerspective(i, PERSPECTIVE, (WIDTH, HEIGHT)),
     [GREY], 2, 0.002),
    ("remap", lambda i, x, y: cv2.remap(i, x, y, cv2.INTER_LINEAR), [GREY, MAP_X, MAP_Y], 2,
     0.002),
    ("BGR to grey", lambda i: cv2.cvtColor(i, cv2.COLOR_BGR2GRAY), [COLOUR], 1, 0),
    ("BGR to HSV and back", lambda i: cv2.cvtColor(cv2.cvtColor(i, cv2.COLOR_BGR2HSV),
                                                   cv2.COLOR_HSV2BGR), [COLOUR], 2, 0.001),
    ("BGR to Lab", lambda i: cv2.cvtColor(i, cv2.COLOR_BGR2Lab), [COLOUR], 1, 0.001),
    ("BGR to YCrCb", lambda i: cv2.cvtColor(i, cv2.COLOR_BGR2YCrCb), [COLOUR], 1, 0),
    ("erosion", lambda i: cv2.erode(i, ELLIPSE, iterations=2), [NOISY], 0, 0),
    ("morphological gradient", lambda i: cv2.morphologyEx(i, cv2.MORPH_GRADIENT, ELLIPSE),
     [COLOUR], 0, 0),
    ("threshold", lambda i: cv2.threshold(i, 0.4, 1, cv2.THRESH_TOZERO)[1], [FLOAT], 0, 0),
    ("range mask", lambda i: cv2.inRange(i, (60, 40, 20), (180, 200, 220)), [COLOUR], 0, 0),
    ("template matching", lambda i, t: cv2.matchTemplate(i, t, cv2.TM_CCOEFF_NORMED),
     [FLOAT, FLOAT[100:140, 200:260].copy()], 1e-2, 0),
    ("pyramids", pyramid, [GREY], 2, 0),
    ("integral image", lambda i: cv2.integral(i), [GREY], 0, 0),
    ("DFT", lambda i: cv2.dft(i, flags=cv2.DFT_COMPLEX_OUTPUT), [FLOAT[:, :512].copy()],
     1e-1, 0),
    ("GEMM", lambda a, b, c: cv2.gemm(a, b, 0.5, c, 2), [MATRIX_A, MATRIX_B, MATRIX_C], 1e-3, 0),
    ("arithmetic", lambda a, b: cv2.addWeighted(cv2.multiply(a, b, scale=1 / 255.0), 0.7,
                                                cv2.absdiff(a, b), 0.3, 5), [GREY, NOISY], 1, 0),
    ("exp, log, pow, magnitude", lambda a: cv2.magnitude(cv2.exp(a), cv2.pow(cv2.log(
        cv2.add(a, 1.0)), 1.5)), [FLOAT], 1e-4, 0),
    ("transpose and flip", lambda i: cv2.flip(cv2.transpose(i), 1), [COLOUR], 0, 0),
    ("split and merge", lambda i: cv2.merge(cv2.split(i)[::-1]), [COLOUR], 0, 0),
    ("lookup table", lambda i: cv2.LUT(i, np.arange(255, -1, -1, dtype=np.uint8)), [GREY], 0, 0),
    ("histogram equalisation", lambda i: cv2.equalizeHist(i), [NOISY], 0, 0),
    ("CLAHE", lambda i: cv2.createCLAHE(2.0, (8, 8)).apply(i), [NOISY], 1, 0.001),
    ("Farnebäck optical flow", lambda a, b: cv2.calcOpticalFlowFarneback(
        a, b, None, 0.5, 3, 15, 3, 5, 1.2, 0), [GREY, scene((2.0, 1.0))], 0.1, 0.01),
    ("non-local means", lambda i: cv2.fastNlMeansDenoising(i, None, 10, 5, 11), [NOISY], 1, 0.001),
    ("Harris corners", lambda i: cv2.cornerHarris(i, 3, 3, 0.04), [GREY], 1e-5, 0),
    ("histogram", lambda i: cv2.calcHist([i], [0], None, [256], [0, 256]), [NOISY], 0, 0),
    ("row sums", lambda i: cv2.reduce(i, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S), [NOISY], 0, 0),
    ("border", lambda i: cv2.copyMakeBorder(i, 3, 4, 5, 6, cv2.BORDER_REFLECT), [COLOUR], 0, 0),
    ("several steps", cascade, [COLOUR], 1, 0.001),
]


def difference(ours, cpu):
    """Of all elements, as floats."""
    return np.abs(np.asarray(ours, np.float64) - np.asarray(cpu, np.float64))


def main():
    if not cv2.ocl.haveOpenCL():
        sys.exit("this OpenCV has no OpenCL, or finds no platform")
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.useOpenCL():
        sys.exit("OpenCV has found no device; OPENCV_OPENCL_DEVICE names one")
    print(f"OpenCV {cv2.__version__} on {cv2.ocl.Device.getDefault().name()}")
    failed = 0
    for name, function, inputs, limit, share in PIPELINES:
        before = launches()
        result = function(*[cv2.UMat(array) for array in inputs])
        result = result.get()
        kernels = launches() - before
        cv2.ocl.setUseOpenCL(False)
        expected = function(*inputs)
        cv2.ocl.setUseOpenCL(True)
        far = difference(result, expected)
        outside = np.count_nonzero(far > limit) / far.size
        right = result.shape == expected.shape and outside <= share
        verdict = "ok" if right and kernels > 0 else "FAILED"
        failed += verdict != "ok"
        print(f"{name:<26} {kernels:4} kernels  largest difference {far.max():<10.4g} "
              f"more than {limit:g} in {outside:.3%}  {verdict}")
    print(f"{len(PIPELINES) - failed} pipelines agree with the CPU, {failed} do not")
    sys.exit(failed > 0)


main()
