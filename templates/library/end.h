{# The end of a header. #}

#ifdef __cplusplus
}
#endif

#endif
