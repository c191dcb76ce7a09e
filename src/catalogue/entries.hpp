// One function per catalogue system; each in a file of its own, close relatives together.
#pragma once

#include <string>
#include <string_view>

#include <noslip/catalogue/catalogue.hpp>

namespace noslip {

CatalogueEntry bicycle();
CatalogueEntry chaotic();
CatalogueEntry chaplygin_ball();
CatalogueEntry chaplygin_sleigh_se2();
CatalogueEntry charged_particle();
CatalogueEntry contact_oscillator();
CatalogueEntry cvt();
CatalogueEntry differential_drive();
CatalogueEntry double_pendulum();
CatalogueEntry gearbox();
CatalogueEntry heavy_top();
CatalogueEntry index2();
CatalogueEntry index2_split();
CatalogueEntry knife_edge_pendulum();
CatalogueEntry mobile_robot();
CatalogueEntry particle();
CatalogueEntry rattleback();
CatalogueEntry rigid_body();
CatalogueEntry roller_racer();
CatalogueEntry rolling_ball_in_bowl();
CatalogueEntry rolling_coin_so3();
CatalogueEntry rolling_disk();
CatalogueEntry rolling_wheel();
CatalogueEntry skate();
CatalogueEntry sleigh();
CatalogueEntry sleigh_reduced();
CatalogueEntry slider_crank();
CatalogueEntry snakeboard();
CatalogueEntry spherical_pendulum();
CatalogueEntry suslov();
CatalogueEntry suslov_so3();
CatalogueEntry turntable_ball();
CatalogueEntry turntable_ball_spatial();
CatalogueEntry unicycle_spring();

/// A system file: title, a sentence of physics and the source in front of the rest.
std::string system_file(std::string_view title, std::string_view summary, std::string_view source,
                        std::string_view rest);

}  // namespace noslip
