! libMT, the layer below hthreads, for host programs in Fortran 2003: a program compiles this file and has
! `use libmt`. Arguments are passed as those of hthreads are; libmt.h says what the functions do.
module libmt
  implicit none
  public

  interface
    ! Clusters, 0 to 3.
    function mt_init(cluster_id) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int) :: mt_init
    end function mt_init

    function mt_reset_cluster(cluster_id) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int) :: mt_reset_cluster
    end function mt_reset_cluster

    function mt_exit(cluster_id) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int) :: mt_exit
    end function mt_exit

    ! Memory that host and device access, and its addresses for both.
    function mt_malloc(cluster_id, bytes) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int, c_long, c_ptr
      integer(c_int), value :: cluster_id
      integer(c_long), value :: bytes
      type(c_ptr) :: mt_malloc
    end function mt_malloc

    subroutine mt_free(ptr) bind(c)
      use, intrinsic :: iso_c_binding, only: c_ptr
      type(c_ptr), value :: ptr
    end subroutine mt_free

    function mt_phyaddr(ptr) bind(c)
      use, intrinsic :: iso_c_binding, only: c_long, c_ptr
      type(c_ptr), value :: ptr
      integer(c_long) :: mt_phyaddr
    end function mt_phyaddr

    function mt_viraddr(address) bind(c)
      use, intrinsic :: iso_c_binding, only: c_long, c_ptr
      integer(c_long), value :: address
      type(c_ptr) :: mt_viraddr
    end function mt_viraddr

    ! Caches of the host: invalidated before it reads, written back after it has written.
    subroutine mt_inv(ptr, bytes) bind(c)
      use, intrinsic :: iso_c_binding, only: c_long, c_ptr
      type(c_ptr), value :: ptr
      integer(c_long), value :: bytes
    end subroutine mt_inv

    subroutine mt_flush(ptr, bytes) bind(c)
      use, intrinsic :: iso_c_binding, only: c_long, c_ptr
      type(c_ptr), value :: ptr
      integer(c_long), value :: bytes
    end subroutine mt_flush

    ! Image, cores, and the function that they run.
    function mt_load_dat(cluster_id, file_path) bind(c)
      use, intrinsic :: iso_c_binding, only: c_char, c_int
      integer(c_int), value :: cluster_id
      character(kind=c_char), intent(in) :: file_path(*)
      integer(c_int) :: mt_load_dat
    end function mt_load_dat

    function mt_open_core(cluster_id, mask) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int) :: mt_open_core
    end function mt_open_core

    function mt_close_core(cluster_id, mask) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int) :: mt_close_core
    end function mt_close_core

    function mt_set_entry(cluster_id, mask, func_name) bind(c)
      use, intrinsic :: iso_c_binding, only: c_char, c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      character(kind=c_char), intent(in) :: func_name(*)
      integer(c_int) :: mt_set_entry
    end function mt_set_entry

    ! Start and end.
    function mt_run(cluster_id, mask) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int) :: mt_run
    end function mt_run

    function mt_wait(cluster_id, mask) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int) :: mt_wait
    end function mt_wait

    function mt_xrun(cluster_id, mask) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int) :: mt_xrun
    end function mt_xrun

    function mt_xwait(cluster_id, mask) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int) :: mt_xwait
    end function mt_xwait

    function mt_send_intr(cluster_id, mask, core_id, intr_id) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int, c_long
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int), value :: core_id
      integer(c_long), value :: intr_id
      integer(c_int) :: mt_send_intr
    end function mt_send_intr
  end interface

  ! Arguments of the kernel: their array, or its first element, or a variable.
  interface mt_load_args
    function mt_load_args(cluster_id, mask, count, args) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int), value :: count
      integer(c_int64_t), intent(in) :: args
      integer(c_int) :: mt_load_args
    end function mt_load_args
    function mt_load_args_words(cluster_id, mask, count, args) bind(c, name="mt_load_args")
      use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
      integer(c_int), value :: cluster_id
      integer(c_int), value :: mask
      integer(c_int), value :: count
      integer(c_int64_t), intent(in) :: args(*)
      integer(c_int) :: mt_load_args_words
    end function mt_load_args_words
  end interface mt_load_args

end module libmt
