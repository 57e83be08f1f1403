! A program written for a vendor's library in Fortran. It prints all that it computes.
program vendor
  use, intrinsic :: iso_c_binding
  implicit none
  external :: dgemm_batch, dtrsm_batch, dgemv_batch_strided
  real(c_double), target :: a(2, 2), b(2, 2), c(2, 2), d(2, 1)
  real(c_double) :: y(2)
  integer(c_intptr_t) :: as(1), bs(1), cs(1), ds(1)

  a = reshape([1d0, 3d0, 0d0, 4d0], [2, 2])
  b = reshape([5d0, 6d0, 7d0, 8d0], [2, 2])
  c = 1
  d = reshape([3d0, 33d0], [2, 1])
  as = transfer(c_loc(a), as)
  bs = transfer(c_loc(b), bs)
  cs = transfer(c_loc(c), cs)
  ds = transfer(c_loc(d), ds)
  ! a' b' / 4 + c / 2
  call dgemm_batch(['T'], ['t'], [2], [2], [2], [0.25d0], as, [2], bs, [2], [0.5d0], cs, [2], 1, [1])
  print '(4f7.2)', c
  call dtrsm_batch(['l'], ['L'], ['N'], ['N'], [2], [1], [1d0], as, [2], ds, [2], 1, [1])
  print '(2f7.2)', d
  y = 0
  call dgemv_batch_strided('N', 2, 1, 1d0, b, 2, 4, [1d0], 1, 1, 0d0, y, -1, 2, 1)
  print '(2f7.2)', y
end program
