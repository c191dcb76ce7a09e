# The back ends are compared below the public header, for every instruction set the processor has.
target_include_directories(test_exec PRIVATE ${PROJECT_SOURCE_DIR}/src)
