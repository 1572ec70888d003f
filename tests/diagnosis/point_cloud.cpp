// point_cloud [passes] - moves 400 points of three scalar coordinates in L1, point by point.
#include "start.h"
#include <vector>

struct point {
    double x, y, z;
};

int main(int argc, char **argv) {
    long passes = argument(argc, argv, 1, 3000);
    std::vector<point> points(400, point{1, 2, 3}), speeds(400, point{0.5, 0.25, 0.125});
    double step = 0.01;
    for (long pass = 0; pass < passes; pass++)
        for (size_t i = 0; i < points.size(); i++) {
            points[i].x += step * speeds[i].x;
            points[i].y += step * speeds[i].y;
            points[i].z += step * speeds[i].z;
        }
    print_double(points[5].x + points[399].z);
}
