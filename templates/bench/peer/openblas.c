void openblas_set_num_threads(int);
static void use_threads(int threads)
{
    openblas_set_num_threads(threads);
}
