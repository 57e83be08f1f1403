! A program in Fortran. It exits with the number of what went wrong.
program bindings
  use small
  implicit none
  integer(c_int64_t), parameter :: one = 1, two = 2
  real(c_double) :: a(2, 2, 3), b(2, 2, 3), c(2, 2, 3)
  complex(c_double_complex), target :: x(2), y(2)
  complex(c_double_complex) :: alpha(2), beta(2)
  type(c_ptr) :: xs(2), ys(2)
  integer(c_int64_t) :: lwork
  integer(c_int8_t), allocatable, target :: work(:)
  integer :: i

  do i = 1, 3
    a(:, :, i) = reshape([1, 3, 2, 4], [2, 2]) * i
    b(:, :, i) = reshape([0, 1, 1, 2], [2, 2])
  end do
  c = 0
  if (small_dgemm_st(small_col_major, small_no_trans, small_trans, two, two, two, 2d0, a, two, 4_c_int64_t, &
                     b, two, 4_c_int64_t, 0d0, c, two, 4_c_int64_t, 3_c_int64_t, 0_c_int) /= 0) stop 1
  do i = 1, 3
    if (any(c(:, :, i) /= 2 * matmul(a(:, :, i), transpose(b(:, :, i))))) stop 2
  end do

  x = [(1d0, 2d0), (3d0, 0d0)]
  y = [(1d0, 0d0), (0d0, 0d0)]
  if (small_zaxpy_st(two, (0d0, 1d0), x, one, two, y, -one, two, one, 0_c_int) /= 0) stop 3
  if (y(1) /= (1d0, 3d0) .or. y(2) /= (-2d0, 1d0)) stop 4

  alpha = [(1d0, 0d0), (0d0, 1d0)]
  beta = 0
  xs = [c_loc(x(1)), c_loc(x(2))]
  ys = [c_loc(y(1)), c_loc(y(2))]
  if (small_zsyrk_variable(small_col_major, [small_upper, small_lower], [small_no_trans, small_trans], [one, one], &
                           [one, one], alpha, xs, [one, one], beta, ys, [one, one], two, 0_c_int) /= 0) stop 5
  if (y(1) /= (-3d0, 4d0) .or. y(2) /= (0d0, 9d0)) stop 6

  lwork = small_zaxpy_st_work(two, (1d0, 0d0), x, one, two, y, one, two, one, c_null_ptr, -1_c_int64_t)
  allocate (work(lwork))
  if (small_zaxpy_st_work(two, (1d0, 0d0), x, one, two, y, one, two, one, c_loc(work), lwork) /= 0) stop 7
  if (y(1) /= (-2d0, 6d0) .or. y(2) /= (3d0, 9d0)) stop 8
  print '(a)', 'done'
end program
