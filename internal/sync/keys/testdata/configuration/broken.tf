this is { no HCL
