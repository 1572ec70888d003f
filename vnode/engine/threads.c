/* threads.c - the order of the threads' turns: strict, so that counts repeat.
 *
 * The turn goes to the runnable thread with the least simulated time; among equals, to the one whose last turn is
 * longest ago. A turn ends after `quantum` instructions, or when the thread blocks, sleeps or ends. A hand-over takes
 * longer than a thousand instructions. So if the cores have exchanged no lines for QUIET_TURNS turns, and no two
 * threads share a core, turns are LONG_TURN times as long until they do. A woken thread may not run before the time of
 * the thread that woke it; so the clocks of threads that wait for each other stay together, and no clock goes back.
 *
 * A thread in a short system call, or in one that another process ends, keeps its turn: other threads wait for it,
 * because the host's timing must not change the order. If it sleeps there for long it counts as blocked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "perf.h"
#include "timers.h"
#include "vnode/process_ids.h"
#include "waits.h"

enum {
    LOOK_ABOUT_NS = 10000000,
    MOMENT_NS = 20000,
    FUTEX_WAIT_PRIVATE = 128,
    FUTEX_WAKE_PRIVATE = 129,
    QUIET_TURNS = 64,
    LONG_TURN = 16,
    PIECE = 20000,      /* instructions between two checks of the node's time */
    ALONE_STEP = 100000 /* instructions between two rests of a single thread: less than a millisecond */
};
static const UInt NO_CALL = ~0u;

ULong threads_time(ThreadId tid) {
    const struct engine_thread *thread = &engine.thread[tid];
    ULong now = sim_time(engine.sim, thread->core);
    return now > thread->time ? now : thread->time;
}

ULong threads_reached(void) {
    const struct engine_thread *running = &engine.thread[engine.running];
    return threads_time(engine.running) - (running->sleeping ? running->sleeps : 0);
}

static Bool can_run(ThreadId tid) {
    return tid != VG_INVALID_THREADID && engine.thread[tid].alive && engine.thread[tid].runnable;
}

static ThreadId choose(void) {
    ThreadId best = VG_INVALID_THREADID;
    ULong best_time = 0;
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++) {
        if (!can_run(tid))
            continue;
        ULong time = threads_time(tid);
        if (best == VG_INVALID_THREADID || time < best_time ||
            (time == best_time && engine.thread[tid].last_turn < engine.thread[best].last_turn)) {
            best = tid;
            best_time = time;
        }
    }
    return best;
}

static Bool is_alone(ThreadId me) {
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++)
        if (tid != me && can_run(tid))
            return False;
    return True;
}

static Bool is_last(ThreadId me) {
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++)
        if (tid != me && engine.thread[tid].alive)
            return False;
    return True;
}

/* Call after engine_settle(). */
static void set_budget(Long instructions) {
    engine.budget = engine.settled_budget = instructions < SLICE ? instructions : SLICE;
    engine.rest = instructions - engine.budget;
}

/* Instructions left in this turn. */
static Long turn_left(void) {
    return engine.budget + engine.rest;
}

/* Whether another thread runs on a sibling: they take each other's lines in the caches of their core. */
static Bool shares_core(ThreadId me) {
    const struct sim_config *config = &engine.node->config;
    UInt core = sim_core_of(config, engine.thread[me].core);
    for (ThreadId tid = 1; sim_threads(config) > 1 && tid <= engine.last_thread; tid++)
        if (tid != me && can_run(tid) && sim_core_of(config, engine.thread[tid].core) == core)
            return True;
    return False;
}

/* Length in instructions of the thread's next turn next to other threads; depends only on the simulation. */
static Long turn_length(ThreadId tid) {
    ULong exchanges = sim_exchanges(engine.sim);
    Bool quiet = exchanges == engine.exchanges && !shares_core(tid);
    engine.quiet_turns = quiet ? engine.quiet_turns + 1 : 0;
    engine.exchanges = exchanges;
    return engine.quiet_turns < QUIET_TURNS ? engine.quantum : engine.quantum * LONG_TURN;
}

static Long alone_length(void) {
    return node_time_is_shared() ? PIECE : ALONE_STEP;
}

static void idle_until_time_of(const struct engine_thread *thread) {
    ULong now = sim_time(engine.sim, thread->core);
    if (now < thread->time)
        sim_idle(sim_core(engine.sim, thread->core), thread->time - now);
}

static void start_turn(ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    idle_until_time_of(thread);
    thread->last_turn = ++engine.turns;
    engine.pieces = is_alone(tid);
    set_budget(engine.pieces ? alone_length() : turn_length(tid));
    if (engine.host_mask_bytes && is_last(tid))
        host_spread();
    engine.thread[engine.running].upper = engine.upper;
    engine.upper = thread->upper;
    engine.running = tid;
    engine.begun = True;
    node_core_changed();
}

static void end_turn(ThreadId tid) {
    if (engine.turn == tid)
        engine.turn = VG_INVALID_THREADID;
}

/* Chooses the next thread, unless a thread has the turn. Returns the thread to tell, VG_INVALID_THREADID: none. */
static ThreadId choose_next(ThreadId from) {
    if (can_run(engine.turn))
        return VG_INVALID_THREADID;
    engine.turn = choose();
    engine.begun = False;
    if (engine.turn == VG_INVALID_THREADID && (engine.thread[from].alive || !is_last(from))) /* else the process ends */
        node_time_wait(from);
    return engine.turn == from ? VG_INVALID_THREADID : engine.turn;
}

/* Wakes a thread whose turn has come; also without Valgrind's lock. */
static void tell(ThreadId tid) {
    if (tid == VG_INVALID_THREADID)
        return;
    UInt *told = &engine.thread[tid].told;
    __atomic_store_n(told, True, __ATOMIC_SEQ_CST);
    VG_(do_syscall)(__NR_futex, (UWord)told, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0, 0, 0);
}

static void hand_over(ThreadId from) {
    tell(choose_next(from));
}

/* Lets other threads run until this one is woken, `next` first, VG_INVALID_THREADID: whoever runs already. The lock is
 * released before: the host may switch to the woken thread at once, which would only wait for it. It checks regularly,
 * because the thread that has the turn may be asleep in the kernel. */
static void wait_until_told(ThreadId tid, ThreadId next) {
    const struct vki_timespec look_about = {0, LOOK_ABOUT_NS};
    UInt *told = &engine.thread[tid].told;
    VG_(release_BigLock)(tid, THREAD_YIELDING, "turn");
    tell(next);
    VG_(do_syscall)(__NR_futex, (UWord)told, FUTEX_WAIT_PRIVATE, 0, (UWord)&look_about, 0, 0, 0, 0);
    VG_(acquire_BigLock)(tid, "turn");
    *told = False;
}

/* Lets others run for a moment, while this thread waits for their system calls. */
static void let_others_go_on(ThreadId tid, const HChar *why) {
    static const struct vki_timespec moment = {0, MOMENT_NS};
    VG_(release_BigLock)(tid, THREAD_YIELDING, why);
    VG_(do_syscall)(__NR_nanosleep, (UWord)&moment, 0, 0, 0, 0, 0, 0, 0);
    VG_(acquire_BigLock)(tid, why);
}

/* Waits until the node's time allows the chosen thread to run; another one may return from the kernel meanwhile. */
static void await_node_time(ThreadId tid) {
    VG_(release_BigLock)(tid, THREAD_YIELDING, "node's time");
    node_time_nap();
    VG_(acquire_BigLock)(tid, "node's time");
    node_time_look_about();
    if (engine.turn == tid && !engine.begun)
        engine.turn = VG_INVALID_THREADID;
}

/* Ends a thread's sleep at time `now`, unless it has ended before. */
static void interrupt_sleep(struct engine_thread *thread, ULong now) {
    ULong begun = thread->time - thread->sleeps;
    now = now > begun ? now : begun;
    thread->time = now < thread->time ? now : thread->time;
    thread->sleeping = False;
    thread->interrupted = True;
}

/* Ends a sleep on a signal, or when the awaited event has come. */
static void look_for_end(ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    if (!thread->sleeping)
        return;
    if (thread->timed && !thread->result)
        thread->result = timed_attempt(tid);
    if (thread->result || signals_interrupt(tid))
        interrupt_sleep(thread, node_time_reached());
}

void threads_interrupt(ThreadId tid, ULong now) {
    if (engine.thread[tid].sleeping)
        interrupt_sleep(&engine.thread[tid], now);
}

/* The kernel wakes futex sleepers in order of arrival, and does not let a thread sleep after the value has changed.
 * So no thread runs until one that is about to sleep does sleep. */
static void await_entering(ThreadId tid) {
    while (engine.entering != VG_INVALID_THREADID && !VG_(is_exiting)(tid)) {
        const struct engine_thread *other = &engine.thread[engine.entering];
        if (!other->alive || !other->in_kernel || waits_asleep(other->lwp, other->call, other->call_argument))
            break;
        let_others_go_on(tid, "entering");
    }
    engine.entering = VG_INVALID_THREADID;
}

/* pthread_join() waits for the word that the kernel clears at the thread's very end: no thread runs before that. */
static void await_leaving(ThreadId tid) {
    if (!engine.leaving)
        return;
    const volatile UInt *word = (const volatile UInt *)engine.leaving;
    UInt since = VG_(read_millisecond_timer)();
    while (!VG_(is_exiting)(tid) && answer_readable(engine.leaving, sizeof *word) && *word != 0 &&
           VG_(read_millisecond_timer)() - since < PATIENCE_OUTSIDE_MS)
        let_others_go_on(tid, "leaving");
    engine.leaving = 0;
}

/* A thread that the host has woken from a system call, and that has not come back yet. */
static Bool returns(ThreadId tid) {
    const struct engine_thread *thread = &engine.thread[tid];
    return thread->alive && thread->in_kernel && !thread->runnable &&
           !waits_asleep(thread->lwp, thread->call, thread->call_argument);
}

/* No sleep ends while a thread comes back, which a timer may have woken. Whether there was one: the turn may be its. */
static Bool await_returning(ThreadId tid) {
    UInt since = VG_(read_millisecond_timer)();
    Bool any = False;
    for (ThreadId other = 1; engine.timers_running && engine.thread[tid].sleeping && other <= engine.last_thread;
         other++)
        for (; other != tid && returns(other) && VG_(read_millisecond_timer)() - since < PATIENCE_OUTSIDE_MS;
             any = True)
            let_others_go_on(tid, "returning");
    if (any && engine.turn == tid)
        engine.turn = VG_INVALID_THREADID;
    return any;
}

/* Waits for tid's turn. False: the process ends, and order no longer matters. */
static Bool wait_for_turn(ThreadId tid) {
    UInt since = 0; /* start of the wait for a thread in the kernel */
    ThreadId awaited = VG_INVALID_THREADID;
    for (;;) {
        look_for_end(tid);
        ThreadId next = choose_next(tid);
        if (engine.turn == tid && node_time_allows(tid)) {
            if (await_returning(tid))
                continue;
            look_for_end(tid); /* what it waits for may have come since */
            node_time_goes_on(tid);
            await_entering(tid);
            await_leaving(tid);
            return True;
        }
        if (VG_(is_exiting)(tid)) {
            tell(next);
            return False;
        }
        if (engine.turn == tid) {
            await_node_time(tid);
            continue;
        }
        struct engine_thread *other = &engine.thread[engine.turn];
        if (!other->in_kernel) {
            awaited = VG_INVALID_THREADID;
        } else if (awaited != engine.turn) {
            awaited = engine.turn;
            since = VG_(read_millisecond_timer)();
        } else if (VG_(read_millisecond_timer)() - since > other->patience_ms) {
            awaited = VG_INVALID_THREADID; /* restarts if the thread is awake: a busy host may delay it */
            if (waits_asleep(other->lwp, other->call, other->call_argument)) {
                other->runnable = False;
                threads_leave(engine.turn);
                end_turn(engine.turn);
                continue;
            }
        }
        wait_until_told(tid, next);
    }
}

/* A single thread was stopped within its turn. Returns whether it must check the node's time. */
static Bool begins_piece(ThreadId tid) {
    node_time_publish(tid, 0);
    return turn_left() > PIECE && node_time_is_shared();
}

/* No other thread has run: the turn continues. */
static void next_piece(const struct engine_thread *thread) {
    idle_until_time_of(thread);
    engine.begun = True;
    set_budget(alone_length());
}

static void await_piece(ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    thread->in_kernel = False;
    if (!thread->runnable)
        threads_wake(tid, threads_reached());
    Bool goes_on = engine.begun && engine.turn == tid && engine.pieces;
    if (engine.begun) { /* otherwise the turn was given to a thread that has not started it yet */
        if (engine.turn == tid && turn_left() > 0 && (!goes_on || !begins_piece(tid))) {
            node_work();
            idle_until_time_of(thread);
            return;
        }
        end_turn(tid);
    }
    Bool has_turn = wait_for_turn(tid);
    node_work();
    if (!has_turn)
        return;
    if (goes_on && thread->last_turn == engine.turns && is_alone(tid))
        next_piece(thread);
    else
        start_turn(tid);
}

/* A thread that has the CPU and could run on leaves it for this one. */
static void take_cpu(ThreadId tid) {
    UInt core = engine.thread[tid].core;
    ThreadId other = engine.occupant[core];
    if (other != tid && can_run(other) && engine.thread[other].core == core)
        threads_leave(other);
    engine.occupant[core] = tid;
}

static void start_client_code(ThreadId tid, ULong blocks_done) {
    (void)blocks_done;
    await_piece(tid);
    take_cpu(tid);
    perf_start(tid);
}

static void stop_client_code(ThreadId tid, ULong blocks_done) {
    (void)blocks_done;
    engine_settle();
    timers_look(tid);
    perf_stop(tid);
    if (engine.pieces && turn_left() <= 0 && !node_time_is_shared())
        set_budget(ALONE_STEP);
    node_rest();
}

void threads_leave(ThreadId tid) {
    ThreadId *occupant = &engine.occupant[engine.thread[tid].core];
    if (*occupant != tid)
        return;
    *occupant = VG_INVALID_THREADID;
    perf_happened(tid, PERF_SWITCHES);
}

void threads_block(ThreadId tid) {
    engine.thread[tid].time = threads_time(tid);
    engine.thread[tid].runnable = False;
    engine.thread[tid].blocked = ++engine.blocks;
    if (engine.thread[tid].futex)
        engine.entering = tid;
    end_turn(tid);
    hand_over(tid);
}

void threads_wake(ThreadId tid, ULong not_before) {
    struct engine_thread *thread = &engine.thread[tid];
    if (thread->alive && thread->sleeping && thread->futex) {
        thread->result = TIMED_WOKEN;
        thread->futex = 0;
        interrupt_sleep(thread, not_before);
    }
    if (!thread->alive || thread->runnable)
        return;
    thread->runnable = True;
    thread->futex = 0;
    if (thread->time < not_before)
        thread->time = not_before;
    engine.quiet_turns = 0;
    if (engine.pieces || turn_left() > engine.quantum)
        set_budget(engine.quantum);
    engine.pieces = False;
}

void threads_yield(ThreadId tid) {
    if (engine.turn == tid)
        set_budget(0);
}

void threads_pause(ThreadId tid) {
    engine.thread[tid].time = threads_time(tid) + (ULong)engine.quantum;
    threads_yield(tid);
}

Bool threads_sleep(ThreadId tid, ULong cycles) {
    struct engine_thread *thread = &engine.thread[tid];
    thread->time = threads_time(tid) + cycles;
    thread->sleeps = cycles;
    thread->sleeping = True;
    thread->interrupted = False;
    threads_leave(tid);
    end_turn(tid);
    wait_for_turn(tid);
    thread->sleeping = False;
    return !thread->interrupted;
}

ThreadId threads_named(ThreadId self, Int lwp) {
    if (lwp == 0)
        return self;
    for (ThreadId tid = 1; tid <= engine.last_thread; tid++)
        if (engine.thread[tid].alive && engine.thread[tid].lwp == lwp)
            return tid;
    return VG_INVALID_THREADID;
}

/* Known before the new thread runs: its creator may pin it first. */
void threads_child_named(ThreadId creator, Int lwp) {
    ThreadId child = engine.thread[creator].child;
    if (child != VG_INVALID_THREADID)
        engine.thread[child].lwp = lwp;
    engine.thread[creator].child = VG_INVALID_THREADID;
}

static void thread_created(ThreadId creator, ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    tl_assert(tid <= ENGINE_THREADS_MAX);
    host_forget_threads(); /* its stack may be that of an ended one */
    if (engine.last_thread < tid)
        engine.last_thread = tid;
    HChar *redirected = thread->redirected;
    VG_(memset)(thread, 0, sizeof *thread);
    thread->redirected = redirected;
    thread->alive = True;
    thread->in_kernel = True;
    thread->call = NO_CALL;
    thread->patience_ms = PATIENCE_MS;
    if (creator == VG_INVALID_THREADID) {
        thread->lwp = VG_(getpid)();
        thread->mask = engine.initial_mask & affinity_all();
        if (thread->mask == 0)
            thread->mask = affinity_all();
        if (engine.initial_policy && !inherit_policy(engine.initial_policy, &thread->policy))
            thread->policy = (struct policy){0};
    } else {
        engine.thread[creator].child = tid;
        thread->mask = engine.thread[creator].mask;
        thread->policy = engine.thread[creator].policy;
        thread->exit_futex = engine.thread[creator].child_exit_futex;
        host_gather();
    }
    perf_thread_created(creator, tid);
    affinity_place(tid);
    threads_wake(tid, creator == VG_INVALID_THREADID ? 0 : threads_time(creator));
}

static void thread_ended(ThreadId tid) {
    struct engine_thread *thread = &engine.thread[tid];
    ULong now = threads_time(tid);
    thread->alive = thread->runnable = False;
    perf_thread_ended(tid);
    threads_leave(tid);
    end_turn(tid);
    engine.leaving = thread->exit_futex;
    if (thread->exit_futex)
        threads_wake_futex(thread->exit_futex, 1, now);
    hand_over(tid);
}

void threads_wake_futex(Addr address, UInt most, ULong not_before) {
    for (; most > 0; most--) {
        ThreadId first = VG_INVALID_THREADID;
        for (ThreadId tid = 1; tid <= engine.last_thread; tid++) {
            const struct engine_thread *thread = &engine.thread[tid];
            if (thread->alive && thread->futex == address &&
                (first == VG_INVALID_THREADID || thread->blocked < engine.thread[first].blocked))
                first = tid;
        }
        if (first == VG_INVALID_THREADID)
            return;
        engine.thread[first].patience_ms = PATIENCE_OUTSIDE_MS;
        threads_wake(first, not_before);
    }
}

/* `caller`: that of syscall(2), by shim/native_calls.c. To ask here costs the program no instruction. */
static Bool asks_for_likwid(Addr caller) {
    ULong offset;
    const HChar *file = code_file(caller, &offset);
    return file && VG_(strstr)(file, "/liblikwidpin.so");
}

Long threads_gettid(ThreadId tid, const UWord *arguments) {
    (void)tid;
    return VG_(gettid)() + (asks_for_likwid(arguments[0]) ? TOLD_FIRST : 0);
}

void threads_install(void) {
    VG_(track_pre_thread_ll_create)(thread_created);
    VG_(track_pre_thread_ll_exit)(thread_ended);
    VG_(track_start_client_code)(start_client_code);
    VG_(track_stop_client_code)(stop_client_code);
}
