// Algorithms of Boost.Compute on an OpenCL device, each compared with the standard library's.

// Boost 1.74 requires these definitions of the OpenCL headers.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS

#include <boost/compute/algorithm.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/lambda.hpp>
#include <boost/compute/random/mersenne_twister_engine.hpp>
#include <boost/compute/system.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace compute = boost::compute;

static int failures = 0;

static void check(const char *what, bool right)
{
    std::printf("%-28s %s\n", what, right ? "right" : "WRONG");
    failures += !right;
}

template <typename T>
static bool same(const compute::vector<T> &got, const std::vector<T> &expected,
                 compute::command_queue &queue)
{
    std::vector<T> host(got.size());
    compute::copy(got.begin(), got.end(), host.begin(), queue);
    return host == expected;
}

BOOST_COMPUTE_FUNCTION(int, collatz_steps, (int start),
{
    uint x = start;
    int steps = 0;
    while (x > 1) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        steps++;
    }
    return steps;
});

static int host_collatz_steps(int start)
{
    unsigned x = start;
    int steps = 0;
    while (x > 1) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        steps++;
    }
    return steps;
}

int main()
{
    compute::device device = compute::system::default_device();
    compute::context context(device);
    compute::command_queue queue(context, device);
    std::printf("on %s\n", device.name().c_str());
    using compute::lambda::_1;

    // Neither a power of two nor a multiple of a work-group.
    const size_t n = 100003;
    std::mt19937 generator(1);
    std::vector<int> numbers(n);
    for (int &number : numbers)
        number = int(generator() % 2000001) - 1000000;
    compute::vector<int> input(numbers.begin(), numbers.end(), queue);

    int sum = 0;
    compute::reduce(input.begin(), input.end(), &sum, compute::plus<int>(), queue);
    check("reduce", sum == std::accumulate(numbers.begin(), numbers.end(), 0));
    check("accumulate, max",
          compute::accumulate(input.begin(), input.end(), -2000000, compute::max<int>(), queue) ==
              *std::max_element(numbers.begin(), numbers.end()));

    std::vector<int> expected(n);
    compute::vector<int> output(n, context);
    std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
    compute::inclusive_scan(input.begin(), input.end(), output.begin(), queue);
    check("inclusive_scan", same(output, expected, queue));
    expected.insert(expected.begin(), 0);
    expected.pop_back();
    compute::exclusive_scan(input.begin(), input.end(), output.begin(), queue);
    check("exclusive_scan", same(output, expected, queue));

    std::transform(numbers.begin(), numbers.end(), expected.begin(),
                   [](int x) { return x * 3 + 7; });
    compute::transform(input.begin(), input.end(), output.begin(), _1 * 3 + 7, queue);
    check("transform, lambda", same(output, expected, queue));

    std::vector<int> starts(20000);
    std::iota(starts.begin(), starts.end(), 1);
    compute::vector<int> device_starts(starts.size(), context);
    compute::iota(device_starts.begin(), device_starts.end(), 1, queue);
    check("iota", same(device_starts, starts, queue));
    compute::transform(device_starts.begin(), device_starts.end(), device_starts.begin(),
                       collatz_steps, queue);
    std::transform(starts.begin(), starts.end(), starts.begin(), host_collatz_steps);
    check("transform, function", same(device_starts, starts, queue));

    check("count_if", compute::count_if(input.begin(), input.end(), _1 > 12345, queue) ==
                          size_t(std::count_if(numbers.begin(), numbers.end(),
                                               [](int x) { return x > 12345; })));
    check("find", compute::find(input.begin(), input.end(), numbers[77777], queue) -
                          input.begin() ==
                      std::find(numbers.begin(), numbers.end(), numbers[77777]) -
                          numbers.begin());

    expected.assign(n, 0);
    auto end = std::copy_if(numbers.begin(), numbers.end(), expected.begin(),
                            [](int x) { return x < 0; });
    expected.resize(end - expected.begin());
    auto device_end = compute::copy_if(input.begin(), input.end(), output.begin(), _1 < 0, queue);
    compute::vector<int> negative(output.begin(), device_end, queue);
    check("copy_if", same(negative, expected, queue));

    std::vector<int> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    compute::vector<int> device_sorted(numbers.begin(), numbers.end(), queue);
    compute::sort(device_sorted.begin(), device_sorted.end(), queue);
    check("sort", same(device_sorted, sorted, queue));
    check("is_sorted", compute::is_sorted(device_sorted.begin(), device_sorted.end(), queue));
    // Of more than 16,256 elements Boost 1.74 searches in the wrong ones, on any platform.
    const size_t few = 10000;
    check("binary_search",
          compute::binary_search(device_sorted.begin(), device_sorted.begin() + few,
                                 sorted[4321], queue) &&
              !compute::binary_search(device_sorted.begin(), device_sorted.begin() + few,
                                      sorted[few] + 1, queue));
    auto last = std::unique(sorted.begin(), sorted.end());
    sorted.resize(last - sorted.begin());
    auto device_last = compute::unique(device_sorted.begin(), device_sorted.end(), queue);
    compute::vector<int> distinct(device_sorted.begin(), device_last, queue);
    check("unique", same(distinct, sorted, queue));

    std::vector<float> fractions(n);
    for (float &fraction : fractions)
        fraction = float(generator()) / 1e6f - 2000;
    compute::vector<float> device_fractions(fractions.begin(), fractions.end(), queue);
    compute::sort(device_fractions.begin(), device_fractions.end(), compute::greater<float>(),
                  queue);
    std::sort(fractions.begin(), fractions.end(), std::greater<float>());
    check("sort, float, descending", same(device_fractions, fractions, queue));

    std::vector<int> keys(5000), values(5000);
    for (size_t i = 0; i < keys.size(); ++i) {
        keys[i] = int(generator() % 300);
        values[i] = int(i);
    }
    compute::vector<int> device_keys(keys.begin(), keys.end(), queue);
    compute::vector<int> device_values(values.begin(), values.end(), queue);
    compute::stable_sort_by_key(device_keys.begin(), device_keys.end(), device_values.begin(),
                                queue);
    std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    check("stable_sort_by_key", same(device_values, values, queue));

    std::vector<unsigned> twisted(n);
    std::mt19937 twister(5489);
    for (unsigned &number : twisted)
        number = unsigned(twister());
    compute::vector<unsigned> device_twisted(n, context);
    compute::mt19937 device_twister(queue, 5489);
    device_twister.generate(device_twisted.begin(), device_twisted.end(), queue);
    check("mt19937", same(device_twisted, twisted, queue));

    std::printf("%d wrong\n", failures);
    return failures != 0;
}
