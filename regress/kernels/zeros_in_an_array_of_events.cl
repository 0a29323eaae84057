// clang crashed on zeros for the elements of an array of events, and the build log had no line.
// fixed by: 7c4953e5
// only on: MOCL3
// refused: an element of type 'event_t' cannot be initialized
kernel void k(global int *x, local int *l)
{
    event_t events[2] = {0, 0};
    events[1] = async_work_group_copy(l, x, 64, events[0]);
    wait_group_events(1, events + 1);
}
