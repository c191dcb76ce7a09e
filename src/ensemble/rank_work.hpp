// What the ranks of an ensemble say to each other.
//
// If the members are a table, every rank checks the starts of its share and tells rank 0 what is wrong with them. Then the
// others ask for work, rank 0 hands out blocks on demand, and they send back what they have computed, until rank 0 says
// that it is over.
#pragma once

#include <noslip/ensemble/ranks.hpp>

#include "ensemble/conductor.hpp"
#include "ensemble/crew.hpp"

namespace noslip {

/// The members whose starts a rank checks: first and end.
std::pair<std::size_t, std::size_t> share_of(const EnsemblePlan& plan, int rank, int size);

/// Rank 0: problems that the others have found, in the order of the members; waits for all of them.
std::vector<Problem> collect_problems(Ranks& ranks);
/// Rank 0: works in threads of its own and with the others, until everything was passed on or it ends early.
void lead(Ranks& ranks, Crew& crew, Conductor& conductor);
/// The other ranks: everything that they do.
void follow(Ranks& ranks, Crew& crew, const EnsemblePlan& plan);

}  // namespace noslip
