    (void)means;
    return bb_eliminate(m, n, A, {{ node.rs("A") }}, {{ node.cs("A") }}, IPIV);
