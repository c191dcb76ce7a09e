# What runs in every step is optimised; the rest of this part sets up a run or sums it up.
noslip_runs_once(noslip_run)
foreach(source lane_stepper lane_stepper_solve turns monitor scrutiny integration stepper stepper_data)
  set_property(SOURCE ${CMAKE_CURRENT_LIST_DIR}/${source}.cpp APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
endforeach()
