{# What a caller gives to work in, or asks for. #}
    if (lwork == -1)
        return needed;
    if (needed && !work)
        return -{{ place - 1 }};
    if (lwork < needed)
        return -{{ place }};
