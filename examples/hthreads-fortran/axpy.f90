! y = a x + y on a group of threads, from Fortran.
program axpy
  use, intrinsic :: iso_c_binding
  use hthread_host
  implicit none

  integer(c_int), parameter :: cluster = 0, threads = 24
  integer(c_long), parameter :: length = 8192     ! numbers of each thread
  real(c_double), parameter :: a = 2.5_c_double
  real(c_double), pointer :: x(:), y(:)
  type(c_ptr) :: x_memory, y_memory
  integer(c_int64_t) :: args(4)
  integer(c_long) :: i, count
  integer(c_int) :: group, result, wrong

  count = threads * length
  result = hthread_dev_open(cluster)
  ! Strings end in NUL.
  result = hthread_dat_load(cluster, "axpy_kernel.dat" // c_null_char)

  x_memory = hthread_malloc(cluster, 8 * count, HT_MEM_RO)
  y_memory = hthread_malloc(cluster, 8 * count, HT_MEM_RW)
  if (.not. (c_associated(x_memory) .and. c_associated(y_memory))) error stop "no memory"
  call c_f_pointer(x_memory, x, [count])
  call c_f_pointer(y_memory, y, [count])
  x = [(real(i, c_double), i = 1, count)]
  y = 1

  ! A word for each argument of the kernel: addresses, and the bits of floating-point numbers.
  args(1) = length
  args(2) = transfer(a, args(2))
  args(3) = transfer(x_memory, args(3))
  args(4) = transfer(y_memory, args(4))
  group = hthread_group_create(cluster, threads, "axpy" // c_null_char, 2, 2, args)
  result = hthread_group_wait(group)
  if (result /= 0) error stop "the kernel has raised an exception"
  result = hthread_group_destroy(group)

  wrong = 0
  do i = 1, count
    if (abs(y(i) - (a * i + 1)) > 0) wrong = wrong + 1
  end do
  print '(i0, a, i0, a, i0, a)', threads, " threads, ", count, " numbers, ", wrong, " wrong"

  call hthread_free(x_memory)
  call hthread_free(y_memory)
  result = hthread_dev_close(cluster)
  if (wrong /= 0) error stop 1
end program axpy
