// duffing_orbits [thousand steps] - orbits of eight oscillators x'' = x - x^3 in one vector, in steps of 1/64.
#include "start.h"

typedef float floats __attribute__((vector_size(32)));

int main(int argc, char **argv) {
    long steps = argument(argc, argv, 1, 3000) * 1000;
    floats x = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f}, v{}, sum{};
    floats dt = {1, 1, 1, 1, 1, 1, 1, 1};
    dt /= 64;
    // Semi-implicit Euler: the force needs the last place, the speed needs the force, the place needs the speed.
    for (long i = 0; i < steps; i++) {
        floats square = x * x, force = x - square * x;
        v += dt * force;
        x += dt * v;
        sum += v;
    }
    double places = double(x[0] + x[7]), speeds = double(sum[3]);
    print_double(places + speeds);
}
