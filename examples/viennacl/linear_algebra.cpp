// Dense and sparse linear algebra with ViennaCL on an OpenCL device, each result compared
// with the host's own.

#define VIENNACL_WITH_OPENCL
// Newer headers, such as Debian's, warn about functions of OpenCL 1.1.
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS

#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <vector>

static int failures = 0;

// Reports whether an error is within the rounding error.
static void check(const char *what, double error, double allowed)
{
    bool right = error <= allowed; // false for NaN, too
    std::printf("%-34s error %.2e, allowed %.0e: %s\n", what, error, allowed,
                right ? "right" : "WRONG");
    failures += !right;
}

template <typename T> static std::vector<T> random_numbers(size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> numbers(count);
    for (T &number : numbers)
        number = uniform(generator);
    return numbers;
}

// The largest difference relative to the largest expected element.
template <typename T>
static double difference(const std::vector<T> &got, const std::vector<T> &expected)
{
    double largest = 0, scale = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        double distance = std::fabs(double(got[i]) - double(expected[i]));
        if (!(distance <= largest))
            largest = distance;
        scale = std::fmax(scale, std::fabs(double(expected[i])));
    }
    return largest / scale;
}

// Vectors, products of a matrix, and triangular solves.
template <typename T> static void dense(const char *type, double allowed)
{
    const size_t n = 257, m = 130;
    std::vector<T> x = random_numbers<T>(n, 1), y = random_numbers<T>(n, 2);
    std::vector<T> a = random_numbers<T>(m * n, 3), b = random_numbers<T>(n * m, 4);
    char name[64];

    viennacl::vector<T> device_x(n), device_y(n);
    viennacl::copy(x, device_x);
    viennacl::copy(y, device_y);
    double product = 0, square = 0;
    for (size_t i = 0; i < n; ++i) {
        product += double(x[i]) * y[i];
        square += double(x[i]) * x[i];
    }
    T inner = viennacl::linalg::inner_prod(device_x, device_y);
    std::snprintf(name, sizeof name, "inner_prod, %s", type);
    check(name, std::fabs(inner - product) / std::sqrt(square), allowed);
    T norm = viennacl::linalg::norm_2(device_x);
    std::snprintf(name, sizeof name, "norm_2, %s", type);
    check(name, std::fabs(norm / std::sqrt(square) - 1), allowed);

    viennacl::matrix<T> device_a(m, n), device_b(n, m);
    std::vector<std::vector<T>> rows_a(m, std::vector<T>(n)), rows_b(n, std::vector<T>(m));
    for (size_t i = 0; i < m; ++i)
        for (size_t j = 0; j < n; ++j) {
            rows_a[i][j] = a[i * n + j];
            rows_b[j][i] = b[j * m + i];
        }
    viennacl::copy(rows_a, device_a);
    viennacl::copy(rows_b, device_b);

    std::vector<T> expected(m), got(m);
    for (size_t i = 0; i < m; ++i) {
        double sum = 0;
        for (size_t j = 0; j < n; ++j)
            sum += double(rows_a[i][j]) * x[j];
        expected[i] = T(sum);
    }
    viennacl::vector<T> device_ax = viennacl::linalg::prod(device_a, device_x);
    viennacl::copy(device_ax, got);
    std::snprintf(name, sizeof name, "matrix times vector, %s", type);
    check(name, difference(got, expected), allowed);

    viennacl::matrix<T> device_ab = viennacl::linalg::prod(device_a, device_b);
    std::vector<std::vector<T>> rows_ab(m, std::vector<T>(m));
    viennacl::copy(device_ab, rows_ab);
    std::vector<T> expected_ab, got_ab;
    for (size_t i = 0; i < m; ++i)
        for (size_t k = 0; k < m; ++k) {
            double sum = 0;
            for (size_t j = 0; j < n; ++j)
                sum += double(rows_a[i][j]) * rows_b[j][k];
            expected_ab.push_back(T(sum));
            got_ab.push_back(rows_ab[i][k]);
        }
    std::snprintf(name, sizeof name, "matrix times matrix, %s", type);
    check(name, difference(got_ab, expected_ab), allowed);

    // A lower triangle that is not near to singular.
    std::vector<std::vector<T>> lower(m, std::vector<T>(m, T(0)));
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < i; ++j)
            lower[i][j] = a[i * n + j] / T(m);
        lower[i][i] = T(2);
    }
    viennacl::matrix<T> device_lower(m, m);
    viennacl::copy(lower, device_lower);
    std::vector<T> right(b.begin(), b.begin() + m), solved(m);
    viennacl::vector<T> device_right(m);
    viennacl::copy(right, device_right);
    viennacl::vector<T> device_solved =
        viennacl::linalg::solve(device_lower, device_right, viennacl::linalg::lower_tag());
    viennacl::copy(device_solved, solved);
    std::vector<T> substituted(m);
    for (size_t i = 0; i < m; ++i) {
        double sum = right[i];
        for (size_t j = 0; j < i; ++j)
            sum -= double(lower[i][j]) * substituted[j];
        substituted[i] = T(sum / lower[i][i]);
    }
    std::snprintf(name, sizeof name, "triangular solve, %s", type);
    check(name, difference(solved, substituted), allowed);
}

// Poisson's equation on a grid: the sparse product, and two Krylov solvers.
template <typename T> static void sparse(const char *type, double allowed)
{
    const size_t side = 40, n = side * side;
    std::vector<std::map<unsigned, T>> rows(n);
    for (size_t y = 0; y < side; ++y)
        for (size_t x = 0; x < side; ++x) {
            size_t i = y * side + x;
            rows[i][i] = 4;
            if (x > 0) rows[i][i - 1] = -1;
            if (x + 1 < side) rows[i][i + 1] = -1;
            if (y > 0) rows[i][i - side] = -1;
            if (y + 1 < side) rows[i][i + side] = -1;
        }
    std::vector<T> solution = random_numbers<T>(n, 5), image(n), got(n);
    for (size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (const auto &entry : rows[i])
            sum += double(entry.second) * solution[entry.first];
        image[i] = T(sum);
    }
    viennacl::compressed_matrix<T> device_rows(n, n);
    viennacl::copy(rows, device_rows);
    viennacl::vector<T> device_solution(n), device_image(n);
    viennacl::copy(solution, device_solution);
    char name[64];

    device_image = viennacl::linalg::prod(device_rows, device_solution);
    viennacl::copy(device_image, got);
    std::snprintf(name, sizeof name, "sparse matrix times vector, %s", type);
    check(name, difference(got, image), allowed);

    viennacl::copy(image, device_image);
    viennacl::linalg::cg_tag conjugate(allowed / 10, 1000);
    viennacl::vector<T> by_cg = viennacl::linalg::solve(device_rows, device_image, conjugate);
    viennacl::copy(by_cg, got);
    std::snprintf(name, sizeof name, "conjugate gradients, %s", type);
    check(name, difference(got, solution), allowed * 1000);

    viennacl::linalg::gmres_tag residual(allowed / 10, 1000, 50);
    viennacl::vector<T> by_gmres = viennacl::linalg::solve(device_rows, device_image, residual);
    viennacl::copy(by_gmres, got);
    std::snprintf(name, sizeof name, "GMRES, %s", type);
    check(name, difference(got, solution), allowed * 1000);
}

int main()
{
    std::printf("on %s\n", viennacl::ocl::current_device().name().c_str());
    dense<float>("float", 1e-5);
    sparse<float>("float", 1e-5);
    dense<double>("double", 1e-13);
    sparse<double>("double", 1e-13);
    std::printf("%d wrong\n", failures);
    return failures != 0;
}
