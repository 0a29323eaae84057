! hthreads for host programs in Fortran: a program compiles this file and has `use hthread_host`.
module hthread_host
  implicit none
  public
  include 'hthread_host_fortran.h'
end module hthread_host
