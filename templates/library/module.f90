! {{ name }}: the functions in {{ name }}.h for Fortran, by bblas_gen {{ version }}.
! SPDX-License-Identifier: 0BSD
!
! Compile it with a program. Matrices are arrays; those of batches with pointers, of groups and of variable batches are
! arrays of c_loc. Letters and the memory order are numbers of the CBLAS.
module {{ name }}
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: {{ prefix }}row_major = 101, {{ prefix }}col_major = 102
  integer(c_int), parameter :: {{ prefix }}no_trans = 111, {{ prefix }}trans = 112, {{ prefix }}conj_trans = 113
  integer(c_int), parameter :: {{ prefix }}upper = 121, {{ prefix }}lower = 122
  integer(c_int), parameter :: {{ prefix }}non_unit = 131, {{ prefix }}unit = 132
  integer(c_int), parameter :: {{ prefix }}left = 141, {{ prefix }}right = 142
  integer(c_int), parameter :: {{ prefix }}no_vec = 301, {{ prefix }}vec = 302

  interface
{% for section in sections %}
    ! {{ section.formula }}
{% for f in section.functions %}
    function {{ f.symbol }}( &
        {{ f.names | join(", &\n        ") }}) &
        result(status) bind(c, name="{{ f.symbol }}")
      import
{% for declaration in f.declarations %}
      {{ declaration }}
{% endfor %}
      {{ f.result }} :: status
    end function
{% endfor %}
{% endfor %}
  end interface
end module
