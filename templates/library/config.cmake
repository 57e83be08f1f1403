# {{ name }} {{ version }}: find_package({{ name }}), then link with {{ name }}::{{ name }}, or with
# {{ name }}::{{ name }}_static.
get_filename_component(_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET {{ name }}::{{ name }})
  add_library({{ name }}::{{ name }} SHARED IMPORTED)
  set_target_properties({{ name }}::{{ name }} PROPERTIES
    IMPORTED_LOCATION "${_root}/lib/lib{{ name }}.so.{{ abi }}"
    IMPORTED_SONAME "lib{{ name }}.so.{{ abi }}"
    INTERFACE_INCLUDE_DIRECTORIES "${_root}/include")
  add_library({{ name }}::{{ name }}_static STATIC IMPORTED)
  set_target_properties({{ name }}::{{ name }}_static PROPERTIES
    IMPORTED_LOCATION "${_root}/lib/lib{{ name }}.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_root}/include"
    INTERFACE_LINK_LIBRARIES "m{{ ";-fopenmp" if openmp }}")
endif()
unset(_root)
