// job_tickets [threads] [thousand jobs] - threads take the numbers of short jobs from one shared counter.
#include "start.h"
#include <atomic>

alignas(64) static uint32_t jobs;
alignas(64) static std::atomic<uint32_t> next_job;
alignas(64) static uint64_t results[64][8];

static void take_jobs(int thread, int) {
    uint64_t sum = 0;
    for (;;) {
        uint32_t job = next_job.fetch_add(1, std::memory_order_relaxed);
        if (job >= jobs)
            break;
        uint32_t height = job % 64, width = job / 64;
        sum += height * width + (height ^ width);
    }
    results[thread][0] = sum;
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    jobs = uint32_t(argument(argc, argv, 2, 2000)) * 1000;
    in_threads(int(threads), take_jobs);
    uint64_t sum = 0;
    for (long i = 0; i < threads; i++)
        sum += results[i][0];
    print_integer(sum);
}
