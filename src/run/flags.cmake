# What runs in every step is optimised; the rest of this part sets up a run or sums it up.
noslip_piece(run steps OFTEN lane_pair lane_stepper lane_stepper_solve turns monitor scrutiny integration stepper stepper_data)
# The innermost loops by themselves: compiled together with the others they are 4 % slower (`noslip bench`).
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/lane_stepper.cpp ${CMAKE_CURRENT_LIST_DIR}/lane_stepper_solve.cpp
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
