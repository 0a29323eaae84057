! All functions of hthread_host and libmt, from Fortran.
module handlers
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_long) :: answered = 0
contains
  subroutine answer(id, val) bind(c)
    integer(c_int), value :: id
    integer(c_long), value :: val
    answered = answered + 100 * id + val
  end subroutine answer
end module handlers

program fortran
  use, intrinsic :: iso_c_binding
  use hthread_host
  use handlers
  implicit none
  integer, parameter :: threads = 3
  integer :: failures = 0
  type(c_ptr) :: memory, size_memory
  real(c_double), pointer :: values(:)
  integer(c_long), pointer :: size
  integer(c_int64_t) :: args(4), word

  call expect(hthread_dev_open(0) == HT_SUCCESS, "open")
  call expect(hthread_dev_owner(0) > 0 .and. hthread_dev_owner(1) == 0, "owner")
  call expect(.not. c_associated(hthread_dat_query(0)), "no image")
  call expect(hthread_dat_load(0, "kernel.dat" // c_null_char) == HT_SUCCESS, "load")
  call expect(path_of_image() == "kernel.dat", "query")
  memory = hthread_malloc(0, 24 * 8_c_long, HT_MEM_RW)
  size_memory = hthread_malloc(0, 8_c_long, HT_MEM_WO)
  call c_f_pointer(memory, values, [24])
  call c_f_pointer(size_memory, size)
  args(1) = transfer(0.5_c_double, args(1))
  args(2) = -7
  args(3) = transfer(memory, args(3))
  args(4) = transfer(size_memory, args(4))
  word = args(4)
  call groups()
  call units()
  call expect(hthread_phyaddr(memory) /= 0 .and. hthread_phyaddr(c_null_ptr) == 0, "hthread_phyaddr")
  call hthread_free(memory)
  call hthread_free(size_memory)
  call expect(hthread_dat_unload(0) == 0, "unload")
  call expect(hthread_dev_close(0) == 0, "close")
  call layer_below()
  print '(i0, a)', failures, " failures"
  if (failures /= 0) error stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print '(2a)', "failed: ", what
  end subroutine expect

  function path_of_image() result(path)
    character(:), allocatable :: path
    character(kind=c_char), pointer :: text(:)
    integer :: i
    call c_f_pointer(hthread_dat_query(0), text, [4096])
    path = ""
    do i = 1, 4096
      if (text(i) == c_null_char) exit
      path = path // text(i)
    end do
  end function path_of_image

  ! Ends a group's kernel, `fill`, and looks at its results.
  subroutine finish(group, expected, what)
    integer, intent(in) :: group, expected
    character(*), intent(in) :: what
    integer :: i
    call expect(hthread_group_wait(group) == 0, what // ": wait")
    call expect(hthread_group_get_status(group) == 0, what // ": status")
    call expect(size == expected, what // ": size")
    call expect(all(abs(values(1:expected) - [(0.5 * i - 7, i = 0, expected - 1)]) < 1e-9), what // ": values")
    values = 0
    size = 0
  end subroutine finish

  ! Each function that starts a kernel, with the array of its arguments, with the first, and with a variable.
  subroutine groups()
    integer :: group, masked
    group = hthread_group_create(0, threads)
    call expect(group >= 0 .and. hthread_group_wait(group) == 0, "resident")
    call expect(hthread_get_avail_threads(0) == 24 - threads, "available")
    call expect(hthread_group_exec(group, "fill" // c_null_char, 2, 2, args) == 0, "exec")
    call finish(group, threads, "exec")
    call expect(hthread_group_exec(group, "fill" // c_null_char, 2, 2, args(1)) == 0, "exec, element")
    call finish(group, threads, "exec, element")
    masked = hthread_group_masked_create(0, ishft(3, 10), "fill" // c_null_char, 2, 2, args)
    call finish(masked, 2, "masked")
    call expect(hthread_group_destroy(masked) == 0, "destroy")
    masked = hthread_group_masked_create(0, ishft(1, 23), "fill" // c_null_char, 2, 2, args(1))
    call finish(masked, 1, "masked, element")
    call expect(hthread_group_destroy(masked) == 0 .and. hthread_group_destroy(group) == 0, "destroy all")
    group = hthread_group_create(0, 5, "fill" // c_null_char, 2, 2, args)
    call finish(group, 5, "create")
    call expect(hthread_group_destroy(group) == 0, "destroy created")
    group = hthread_group_create(0, 6, "fill" // c_null_char, 2, 2, args(1))
    call finish(group, 6, "create, element")
    call expect(hthread_group_destroy(group) == 0, "destroy created")
    size = 17
    group = hthread_group_create(0, 1, "negate" // c_null_char, 0, 1, word)
    call expect(hthread_group_wait(group) == 0 .and. size == -17, "create, variable")
    call expect(hthread_group_exec(group, "negate" // c_null_char, 0, 1, word) == 0, "exec, variable")
    call expect(hthread_group_wait(group) == 0 .and. size == 17, "negated")
    call expect(hthread_group_destroy(group) == 0, "destroy negating")
  end subroutine groups

  subroutine units()
    integer :: group, barrier, lock
    integer(c_long) :: before
    barrier = hthread_barrier_create(0)
    lock = hthread_rwlock_create(0)
    size = 0
    args(1) = barrier
    args(2) = lock
    args(3) = args(4)
    group = hthread_group_create(0, threads)
    before = hthread_handler_register(group, c_funloc(answer))
    call expect(before == 0, "no handler")
    call expect(hthread_group_exec(group, "meet" // c_null_char, 2, 1, args) == 0, "meet")
    call hthread_intr_send(group, 0, 17_c_long)
    call expect(hthread_group_wait(group) == 0, "met")
    call expect(size == threads, "sum")
    ! Threads 0 to 2 interrupt with the sum.
    call expect(answered == 100 * (0 + 1 + 2) + threads * threads, "answered")
    call expect(hthread_group_destroy(group) == 0, "destroy met")
    call hthread_barrier_destroy(barrier)
    call hthread_rwlock_destroy(lock)
  end subroutine units

  ! The same kernel by libMT.
  subroutine layer_below()
    use libmt
    integer, parameter :: cores = 15
    call expect(mt_init(0) == 0 .and. mt_load_dat(0, "kernel.dat" // c_null_char) == 0, "mt_init")
    memory = mt_malloc(0, 24 * 8_c_long)
    size_memory = mt_malloc(0, 8_c_long)
    call c_f_pointer(memory, values, [24])
    call c_f_pointer(size_memory, size)
    args(1) = transfer(0.5_c_double, args(1))
    args(2) = -7
    args(3) = mt_phyaddr(memory)
    args(4) = mt_phyaddr(size_memory)
    call expect(c_associated(mt_viraddr(args(3)), memory), "mt_viraddr")
    call expect(mt_open_core(0, cores) == 0, "mt_open_core")
    call expect(mt_set_entry(0, cores, "fill" // c_null_char) == 0, "mt_set_entry")
    call expect(mt_load_args(0, cores, 4, args) == 0, "mt_load_args")
    call mt_flush(memory, 24 * 8_c_long)
    call expect(mt_run(0, cores) == 0 .and. mt_wait(0, cores) == 0, "mt_run")
    call mt_inv(memory, 24 * 8_c_long)
    call expect(size == 4 .and. abs(values(4) + 5.5) < 1e-9, "mt_run: results")
    size = 0
    call expect(mt_load_args(0, cores, 4, args(1)) == 0, "mt_load_args, element")
    call expect(mt_xrun(0, cores) == 0 .and. mt_xwait(0, cores) == 0, "mt_xrun")
    call expect(size == 4, "mt_xrun: results")
    call expect(mt_close_core(0, cores) == 0, "mt_close_core")
    call mt_free(memory)
    call mt_free(size_memory)
    call expect(mt_reset_cluster(0) == 0 .and. mt_exit(0) == 0, "mt_exit")
  end subroutine layer_below
end program fortran
