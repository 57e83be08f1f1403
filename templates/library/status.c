{# What a kernel returned, with the positions of the function's own arguments. #}
    if (status >= 0)
        return status;
    static const unsigned char argument[2][{{ call.kernel_positions[0] | length }}] = {
        { {{ call.kernel_positions[0] | join(", ") }} },
        { {{ call.kernel_positions[1] | join(", ") }} },
    };
    return -argument[{{ "row_major" if call.exchanged else "0" }}][-status];
