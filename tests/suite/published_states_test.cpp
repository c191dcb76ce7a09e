// Final states of short runs, as an independent program gives them for the experiments of the papers. The multipliers
// of Martin de Diego and Sato 2022 have the sign that is used here.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <noslip/model/continuous.hpp>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::options;

struct Expected {
  std::vector<double> q, v;
  std::vector<double> multipliers = {};  ///< empty: not known
};

/// The tolerance is absolute for small numbers and relative for large ones.
void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(values.size(), expected.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], tolerance * std::max(1.0, std::fabs(expected[i])))
        << what << ", component " << i;
  }
}

void expect_state(const Trajectory& run, const Expected& expected) {
  ASSERT_EQ(run.outcome.status, Status::done) << run.about.method << ": " << run.outcome.message;
  expect_near(run.last.q, expected.q, 1e-12, run.about.method + ", q");
  expect_near(run.last.v, expected.v, 1e-12, run.about.method + ", v");
  if (!expected.multipliers.empty()) {
    expect_near(run.last.multipliers, expected.multipliers, 1e-10, run.about.method + ", multipliers");
  }
}

Trajectory run(const std::string& system, const std::string& method, double step, long long steps,
               const std::map<std::string, double>& set = {}) {
  RunOptions o = options(method, step, steps);
  o.set = set;
  return integrate(catalogue_system(system), o);
}

std::vector<double> first_multipliers(const System& system, const std::map<std::string, double>& set = {}) {
  const std::vector<double> parameters = system.parameter_values(set);
  std::vector<Problem> problems;
  return Continuous(system, parameters).evaluate(system.initial_state(parameters), problems).multipliers;
}

TEST(PublishedStates, TenStepsOnJaysExamples) {
  expect_state(run("particle", "gauss:1", 0.2, 10), {{-0.808123344712607, 0.230335842675648, -0.994244588151399},
                                                     {-0.815802501151349, -0.945457983814087, -0.187908556559598}});
  expect_state(run("particle", "gauss:2", 0.2, 10), {{-0.813392324241635, 0.217856450634534, -0.990810848983261},
                                                     {-0.803790520076558, -0.951355419301244, -0.175110949757565}});
  expect_state(run("skate", "lobatto-ab:2", 0.1, 10),
               {{0.355219195496975, 0.272750684114998, 1}, {0.454269776324304, 0.707483258724725, 1}});
  expect_state(run("skate", "lobatto-ab:3", 0.1, 10),
               {{0.354036118314, 0.272675606176111, 1}, {0.454648650238988, 0.708073319886125, 1}});
  expect_state(run("mobile-robot", "lobatto-abd:2", 0.2, 10),
               {{-2.42401672968317, 0, 0, -2.42401672968317}, {-2.05718281898576, 0, 0, -2.05718281898576}});
  expect_state(run("mobile-robot", "lobatto-abd:3", 0.2, 10),
               {{-2.41286137558953, 0, 0, -2.41286137558953}, {-2.08076818180329, 0, 0, -2.08076818180329}});
}

TEST(PublishedStates, ChaoticParticles) {
  struct Row {
    const char* method;
    Expected state;
    double energy;
  };
  const Row rows[] = {{"lobatto-ab:2",
                       {{-0.372777221759454, 0.690021653415302, 0.608755225191572, 0.274631063451564, 0.585691756950918,
                         0.728433107782832, -0.29871460423387},
                        {-1.11600970983218, 0.484598295790366, -0.0349593399097649, -0.00318995327240491,
                         0.700539045604733, 0.52551209248558, 1.13867077951734}},
                       3.0588638628996},
                      {"mp",
                       {{-0.375191988600239, 0.690923108186037, 0.608881212881658, 0.274675506369935, 0.58628022743449,
                         0.728283398585164, -0.298968949089438},
                        {-1.11606864407942, 0.484003049928146, -0.0352865266630086, -0.00344585215251984,
                         0.700168574431606, 0.524437466666588, 1.13947501082562}},
                       3.06120311528525},
                      {"nh-lobatto:2",
                       {{-0.374047264298255, 0.690632422632129, 0.608804801691928, 0.274581790557467, 0.584582501861407,
                         0.727907518919413, -0.299433569684367},
                        {-1.11699923123183, 0.484884916631005, -0.034715193381681, -0.00324311600448135,
                         0.701445806513379, 0.52557002121864, 1.13841657655624},
                        {0.409068678059116}},
                       3.05982071649908},
                      {"nh-lobatto:3",
                       {{-0.373186980987731, 0.690133226847729, 0.608702847978806, 0.274680012197531, 0.584593253117413,
                         0.727749225616853, -0.299545763982985},
                        {-1.11732375647812, 0.485533838054776, -0.0339801459281517, -0.00290592044120661,
                         0.701803744283165, 0.526199010123799, 1.13836764187747},
                        {0.408916795890739}},
                       3.06000013896086}};
  const std::map<std::string, double> member = {{"j", 3}, {"J", 9}};
  for (const Row& row : rows) {
    const Trajectory last = run("chaotic", row.method, 0.05, 100, member);
    expect_state(last, row.state);
    EXPECT_NEAR(last.last.energy, row.energy, 1e-12) << row.method;
    EXPECT_NEAR(last.energy.initial, 3.06, 1e-14);
  }
  expect_near(first_multipliers(catalogue_system("chaotic"), member), {2.1500162844772}, 1e-12, "first multiplier");
}

TEST(PublishedStates, ContactOscillator) {
  const double h = 2 * std::sin(std::numbers::pi / 40);  // forty steps of both methods are one period of y
  const Trajectory ab = run("contact-oscillator", "lobatto-ab:2", h, 400);
  expect_state(ab, {{1.08825556010906, 1, -0.67218881752306}, {-0.4261727860803, 0, 0.4261727860803}});
  EXPECT_NEAR(ab.last.energy, 1.49969222885111, 1e-12);
  const Trajectory mp = run("contact-oscillator", "mp", h, 400);
  expect_state(mp, {{1.05826629629347, 1, -0.689890380453954}, {-0.451179594904538, 0, 0.451179594904538}});
  EXPECT_NEAR(mp.last.energy, 1.50150117231502, 1e-12);
  const Trajectory perturbed = run("contact-oscillator", "mp", h, 400, {{"epsilon", 0.8}});
  expect_state(perturbed, {{-0.688911855722631, 1, -0.972219495858325}, {0.343916509661987, 0, -0.343916509661987}});
  EXPECT_NEAR(perturbed.last.energy, 1.50762234853833, 1e-12);
}

TEST(PublishedStates, VerticalDisk) {
  expect_state(
      run("rolling-disk", "lobatto-ab:2", 0.1, 500),
      {{-0.063121585405059, 0.0171627977018672, 100, 50.0293310522404}, {0.215579718072033, -0.12659141027725, 2, 1}});
  expect_state(run("rolling-disk", "mp", 0.1, 500),
               {{-0.0630845786636118, 0.0171527355462196, 100, 50}, {0.215579718072033, -0.12659141027725, 2, 1}});
}

/// Martin de Diego and Sato 2022, sec. 7.4 and 7.5, with both retractions.
TEST(PublishedStates, UnicycleAndTurntable) {
  expect_state(
      run("unicycle-spring", "nh-lobatto:2", 0.1, 10),
      {{1.20437998641648, 0.582625160856621, 1.50316182368498}, {-0.314776170828608, 0, 1.2}, {-1.55396954697195}});
  expect_state(
      run("unicycle-spring", "nh-lobatto:3", 0.1, 10),
      {{1.20569589199148, 0.577859987770645, 1.50000226471043}, {-0.319955084290809, 0, 1.2}, {-1.5503009981298}});
  expect_state(
      run("unicycle-spring", "nh-lobatto:2,map=exp", 0.1, 10),
      {{1.20406083307887, 0.58220541768111, 1.49992251887598}, {-0.315796824989006, 0, 1.2}, {-1.54832795516079}});
  expect_near(first_multipliers(catalogue_system("unicycle-spring")), {1.14214803790146}, 1e-12, "first multiplier");

  const std::vector<double> v = {0.590252118427697, 0.872625422229794, 0.7, 0.0509498311080823, 0.536100847371079};
  const std::vector<double> multipliers = {-0.153178247826983, 0.0145406517284843};
  expect_state(run("turntable-ball", "nh-lobatto:2", 0.1, 10),
               {{0.556901864687225, -0.406098764067822, 0.724530266400569, 0.737119511453292, 0.643659942162359,
                 -0.205807445663194, -0.38277296004649, 0.648679946258658, 0.657798744586148, 1.12635296579878,
                 0.821675591121712},
                v,
                multipliers});
  expect_state(run("turntable-ball", "nh-lobatto:2,map=exp", 0.1, 10),
               {{0.558643952659406, -0.406054634646989, 0.723212671237705, 0.735811878799191, 0.645021813463958,
                 -0.20622254768495, -0.382750327465675, 0.64735345356101, 0.659117359039763, 1.12635296579878,
                 0.821675591121712},
                v,
                multipliers});
  expect_near(first_multipliers(catalogue_system("turntable-ball")), {-0.142857142857143, 0.0571428571428572}, 1e-14,
              "first multipliers");
}

TEST(PublishedStates, Sleigh) {
  expect_state(run("sleigh", "lobatto-ab:2", 0.12, 100),
               {{1.96504561265289, -4.21342895054577, -1.67277447799321},
                {-0.103757539303007, -1.01391927062173, -0.0376268299530817}});
  expect_state(run("sleigh", "lobatto-ab:3", 0.12, 100),
               {{1.96542035001538, -4.21238188010696, -1.67259361930523},
                {-0.103563656795939, -1.01383518383528, -0.0377742667580417}});
  expect_near(first_multipliers(catalogue_system("sleigh")), {0.05}, 1e-15, "first multiplier");
}

TEST(PublishedStates, LightSleigh) {
  const auto end = [](const std::string& method) { return testing::run_light_sleigh(method, 0.1); };
  expect_state(end("lobatto-ab:2"), {{-993.714450974286, -2202.45186987885, -1.8408912988915},
                                     {-55.4379915278205, -200.238078543134, 0.0145849951131363}});
  expect_state(end("srk-radau-ia:2"), {{-993.775436357911, -2202.44941358373, -1.84093208148273},
                                       {-55.446324656204, -200.236420375942, 0.0146150830554631}});
  for (const char* method : {"srk-gauss:2", "gauss:2"}) {
    expect_state(end(method), {{-993.775619993086, -2202.44895679508, -1.8409321230809},
                               {-55.446326425412, -200.236394378041, 0.0146150645690852}});
  }
  expect_state(end("gauss:5"), {{-993.77562051346, -2202.44895450207, -1.84093212321281},
                                {-55.4463264190973, -200.236394252539, 0.0146150646241022}});
}

TEST(PublishedStates, IndexTwoProblems) {
  struct Row {
    const char* system;
    const char* method;
    long long steps;
    std::vector<double> y;
  };
  const Row rows[] = {{"index2-split", "spark-lobatto:2", 160, {2.71816472333573, 0.135346944631738}},
                      {"index2", "srk-gauss:2", 80, {2.71828182283542, 0.135335283796581}},
                      {"index2", "srk-radau-ia:2", 80, {2.7182843795743, 0.135335029211872}},
                      {"index2", "rk-gauss:1", 160, {2.71820165815952, 0.135339301264458}},
                      {"index2", "rk-lobatto-iiia:2", 160, {2.71839686224676, 0.135323829573565}},
                      {"index2", "rk-radau-iia:2", 160, {2.71828214581904, 0.135335251635771}}};
  for (const Row& row : rows) {
    expect_state(run(row.system, row.method, 1.0 / static_cast<double>(row.steps), row.steps), {row.y, {}});
  }
}

TEST(PublishedStates, ParticleInAHarmonicPotential) {
  const System particle = testing::harmonic_particle();
  expect_state(integrate(particle, options("nh-lobatto:2", 0.1, 10)),
               {{0.893438820064025, 0.950740638592566, -0.10968149895709},
                {-0.392682007235691, 0.371822548446539, -0.373338742323072},
                {-0.523759741290881}});
  expect_state(integrate(particle, options("nh-lobatto:3", 0.1, 10)),
               {{0.893463200451288, 0.949531312630805, -0.111287128015929},
                {-0.394084317568102, 0.372008046672583, -0.374195399347655},
                {-0.523513741775824}});
  expect_state(integrate(particle, options("gauss:6", 0.1, 10)),
               {{0.893462633932953, 0.949531445981524, -0.111287459026745},
                {-0.39408420827355, 0.37200810890656, -0.374195348120469},
                {-0.523226847310093}});
  expect_near(first_multipliers(particle), {0.0961538461538461}, 1e-15, "first multiplier");
}

TEST(PublishedStates, PendulumDrivenTransmission) {
  expect_state(run("cvt", "nh-lobatto:2", 0.1, 100), {{-0.21009602846533, -0.636751795558386, 0.275096478759781},
                                                      {1.17691684465397, 1.7916652021319, 0.699779367041936},
                                                      {-0.965857036929362}});
  expect_state(run("cvt", "nh-lobatto:3", 0.1, 100, {{"eps", 0.5}, {"Ed", 3}}),
               {{0.222194085053002, 23.7279050502836, 0.769909093409894},
                {-0.829654957030622, 2.54819915450001, -0.818255658942344},
                {0.448333764620609}});
}

}  // namespace
}  // namespace noslip
