// entity_handles [thousand moves] - moves the entities of a game: components are found by handles, which are checked.
#include "start.h"

typedef float floats __attribute__((vector_size(16)));

constexpr uint32_t ENTITIES = 128;

struct handle {
    uint32_t index, generation;
};

struct components {
    uint32_t generations[ENTITIES], places[ENTITIES], live, changed;
    floats values[ENTITIES];

    __attribute__((noinline)) bool valid(handle entity) const {
        return entity.index < ENTITIES && generations[entity.index] == entity.generation;
    }

    __attribute__((noinline)) floats *find(handle entity) {
        if (!valid(entity))
            return nullptr;
        uint32_t place = places[entity.index];
        return place < live ? &values[place] : nullptr;
    }
};

struct world {
    components positions;
    char unused[1408]; // no load has the page offset of a recent store
    components velocities;
    uint8_t flags[ENTITIES];

    __attribute__((noinline)) void mark(handle entity) {
        if (!positions.valid(entity) || !velocities.valid(entity))
            abort();
        flags[entity.index] = 1;
    }

    __attribute__((noinline)) bool move(handle entity, float time) {
        floats *position = positions.find(entity), *velocity = velocities.find(entity);
        if (position == nullptr || velocity == nullptr)
            return false;
        *position += *velocity * time;
        mark(entity);
        return true;
    }
};

int main(int argc, char **argv) {
    long moves = argument(argc, argv, 1, 500) * 1000, moved = 0;
    world *game = static_cast<world *>(pages(sizeof *game));
    game->positions.live = game->velocities.live = ENTITIES;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        game->positions.generations[i] = game->velocities.generations[i] = i % 5;
        game->positions.places[i] = game->velocities.places[i] = i * 5 % ENTITIES;
        game->positions.values[i] = game->velocities.values[i] = floats{1, 2, 3, float(i)};
    }
    for (long i = 0; i < moves; i++) {
        uint32_t index = uint32_t(i) % ENTITIES;
        moved += game->move({index, index % 5}, 0.125F);
    }
    print_double(double(game->positions.values[9][3]) + double(moved));
}
