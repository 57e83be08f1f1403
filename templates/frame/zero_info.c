    for (int64_t p = 0; p < batch_count; p++)
        info[p] = 0;
