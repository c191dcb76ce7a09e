// Everything for those who use noslip: systems, runs, steppers, studies, ensembles, the catalogue. The engine itself,
// and what extends it, has headers of its own.
#pragma once

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/ensemble/ensemble.hpp>
#include <noslip/method/register.hpp>
#include <noslip/model/symbols.hpp>
#include <noslip/model/system.hpp>
#include <noslip/model/system_text.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/over_time.hpp>
#include <noslip/run/program.hpp>
#include <noslip/run/run.hpp>
#include <noslip/run/section.hpp>
#include <noslip/run/stepper.hpp>
