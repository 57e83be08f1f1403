    (void)threads;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = {{ "j + 1" if node.letters.uplo == "U" else 0 }}; i < {{ "n" if node.letters.uplo == "U" else "j" }}; i++)
            memset({{ node.memory.at(node.op.operand("A"), "i", "j") }}, 0, {{ parts }} * sizeof *A);
    return 0;
