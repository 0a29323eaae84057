! The functions and constants of hthreads for host programs in Fortran 2003: what the module hthread_host
! contains, for programs that include it in their declarations instead. Names and conventions are those of
! the machine's binding: integers by value, strings by reference, which end in C_NULL_CHAR, and the words of
! a kernel's arguments by reference.

! States of a group.
integer, parameter :: HT_STAT_BUSY = 0
integer, parameter :: HT_STAT_IDLE = 1
integer, parameter :: HT_STAT_FAIL = 2

! Results of calls.
integer, parameter :: HT_SUCCESS = 0
integer, parameter :: HT_FAIL_UNKNOWN = -1
integer, parameter :: HT_OUT_OF_RANGE = -2
integer, parameter :: HT_NOT_INITIALIZED = -3
integer, parameter :: HT_DEV_OPEN_FAILED = -4
integer, parameter :: HT_PROGRAM_UNLOADED = -5
integer, parameter :: HT_TIMEOUT = -6
integer, parameter :: HT_LAST_KERNEL_EXCP = -7

! Modes of memory.
integer, parameter :: HT_MEM_RO = 1
integer, parameter :: HT_MEM_WO = 2
integer, parameter :: HT_MEM_RW = 3
integer, parameter :: HT_MEM_CACHE = 4

interface
  ! Clusters, 0 to 3.
  function hthread_dev_open(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_dev_open
  end function hthread_dev_open

  function hthread_dev_owner(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_dev_owner
  end function hthread_dev_owner

  function hthread_dev_close(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_dev_close
  end function hthread_dev_close

  ! Images. hthread_dat_query has the path of the loaded image, a C string, or a null pointer.
  function hthread_dat_load(cluster_id, file_path) bind(c)
    use, intrinsic :: iso_c_binding, only: c_char, c_int
    integer(c_int), value :: cluster_id
    character(kind=c_char), intent(in) :: file_path(*)
    integer(c_int) :: hthread_dat_load
  end function hthread_dat_load

  function hthread_dat_unload(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_dat_unload
  end function hthread_dat_unload

  function hthread_dat_query(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int, c_ptr
    integer(c_int), value :: cluster_id
    type(c_ptr) :: hthread_dat_query
  end function hthread_dat_query

  ! Groups of threads; functions that start kernels are below.
  function hthread_group_create2(cluster_id, num) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int), value :: num
    integer(c_int) :: hthread_group_create2
  end function hthread_group_create2

  function hthread_group_get_status(thread_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: thread_id
    integer(c_int) :: hthread_group_get_status
  end function hthread_group_get_status

  function hthread_group_wait(thread_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: thread_id
    integer(c_int) :: hthread_group_wait
  end function hthread_group_wait

  function hthread_group_destroy(thread_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: thread_id
    integer(c_int) :: hthread_group_destroy
  end function hthread_group_destroy

  function hthread_get_avail_threads(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_get_avail_threads
  end function hthread_get_avail_threads

  ! Memory of a cluster; c_f_pointer makes it an array.
  function hthread_malloc(cluster_id, bytes, mode) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int, c_long, c_ptr
    integer(c_int), value :: cluster_id
    integer(c_long), value :: bytes
    integer(c_int), value :: mode
    type(c_ptr) :: hthread_malloc
  end function hthread_malloc

  subroutine hthread_free(ptr) bind(c)
    use, intrinsic :: iso_c_binding, only: c_ptr
    type(c_ptr), value :: ptr
  end subroutine hthread_free

  ! The device's address of memory; 0 if the device cannot access it.
  function hthread_phyaddr(ptr) bind(c)
    use, intrinsic :: iso_c_binding, only: c_long, c_ptr
    type(c_ptr), value :: ptr
    integer(c_long) :: hthread_phyaddr
  end function hthread_phyaddr

  ! Barriers and read-write locks.
  function hthread_barrier_create(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_barrier_create
  end function hthread_barrier_create

  subroutine hthread_barrier_destroy(b_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: b_id
  end subroutine hthread_barrier_destroy

  function hthread_rwlock_create(cluster_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: cluster_id
    integer(c_int) :: hthread_rwlock_create
  end function hthread_rwlock_create

  subroutine hthread_rwlock_destroy(lock_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int
    integer(c_int), value :: lock_id
  end subroutine hthread_rwlock_destroy

  ! Interrupts. A handler is a subroutine with bind(c) and two arguments by value, integer(c_int) and
  ! integer(c_long).
  subroutine hthread_intr_send(g_id, t_id, intr_id) bind(c)
    use, intrinsic :: iso_c_binding, only: c_int, c_long
    integer(c_int), value :: g_id
    integer(c_int), value :: t_id
    integer(c_long), value :: intr_id
  end subroutine hthread_intr_send

  function hthread_handler_register(thread_id, func) bind(c)
    use, intrinsic :: iso_c_binding, only: c_funptr, c_int, c_long
    integer(c_int), value :: thread_id
    type(c_funptr), value :: func
    integer(c_long) :: hthread_handler_register
  end function hthread_handler_register
end interface

! Start of kernels. args_array is the array of the argument words, or its first element, or a variable.
interface hthread_group_create6
  function hthread_group_create6(cluster_id, num, func_name, sargs, pargs, args_array) bind(c)
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
    integer(c_int), value :: cluster_id
    integer(c_int), value :: num
    character(kind=c_char), intent(in) :: func_name
    integer(c_int), value :: sargs
    integer(c_int), value :: pargs
    integer(c_int64_t), intent(in) :: args_array
    integer(c_int) :: hthread_group_create6
  end function hthread_group_create6
  function hthread_group_create6_words(cluster_id, num, func_name, sargs, pargs, args_array) &
      bind(c, name="hthread_group_create6")
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
    integer(c_int), value :: cluster_id
    integer(c_int), value :: num
    character(kind=c_char), intent(in) :: func_name
    integer(c_int), value :: sargs
    integer(c_int), value :: pargs
    integer(c_int64_t), intent(in) :: args_array(*)
    integer(c_int) :: hthread_group_create6_words
  end function hthread_group_create6_words
end interface hthread_group_create6

interface hthread_group_masked_create
  function hthread_group_masked_create(cluster_id, pmask, func_name, sargs, pargs, args_array) &
      bind(c)
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
    integer(c_int), value :: cluster_id
    integer(c_int), value :: pmask
    character(kind=c_char), intent(in) :: func_name
    integer(c_int), value :: sargs
    integer(c_int), value :: pargs
    integer(c_int64_t), intent(in) :: args_array
    integer(c_int) :: hthread_group_masked_create
  end function hthread_group_masked_create
  function hthread_group_masked_create_words(cluster_id, pmask, func_name, sargs, pargs, args_array) &
      bind(c, name="hthread_group_masked_create")
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
    integer(c_int), value :: cluster_id
    integer(c_int), value :: pmask
    character(kind=c_char), intent(in) :: func_name
    integer(c_int), value :: sargs
    integer(c_int), value :: pargs
    integer(c_int64_t), intent(in) :: args_array(*)
    integer(c_int) :: hthread_group_masked_create_words
  end function hthread_group_masked_create_words
end interface hthread_group_masked_create

interface hthread_group_exec
  function hthread_group_exec(thread_id, func_name, sargs, pargs, args_array) bind(c)
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
    integer(c_int), value :: thread_id
    character(kind=c_char), intent(in) :: func_name
    integer(c_int), value :: sargs
    integer(c_int), value :: pargs
    integer(c_int64_t), intent(in) :: args_array
    integer(c_int) :: hthread_group_exec
  end function hthread_group_exec
  function hthread_group_exec_words(thread_id, func_name, sargs, pargs, args_array) &
      bind(c, name="hthread_group_exec")
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
    integer(c_int), value :: thread_id
    character(kind=c_char), intent(in) :: func_name
    integer(c_int), value :: sargs
    integer(c_int), value :: pargs
    integer(c_int64_t), intent(in) :: args_array(*)
    integer(c_int) :: hthread_group_exec_words
  end function hthread_group_exec_words
end interface hthread_group_exec

interface hthread_group_create
  procedure hthread_group_create2, hthread_group_create6, hthread_group_create6_words
end interface hthread_group_create
