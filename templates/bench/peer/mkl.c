/* MKL_THREADING_GNU is 3: the OpenMP of the other contenders. */
int MKL_Set_Threading_Layer(int);
int MKL_Set_Num_Threads_Local(int);
static void use_threads(int threads)
{
    MKL_Set_Threading_Layer(3);
    MKL_Set_Num_Threads_Local(threads);
}
