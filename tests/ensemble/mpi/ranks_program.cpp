// A program for several ranks, run by ranks_test.py: `ranks_program WHAT [ARGUMENTS]`. Exit code 0 if all went well.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/ensemble/ranks.hpp>

namespace {

using namespace std::chrono_literals;
using noslip::Ranks;

void require(bool is_so, const std::string& what) {
  if (!is_so) throw std::runtime_error(what);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Ranks::Message wait_for_message(Ranks& ranks) {
  while (true) {
    if (auto message = ranks.receive()) return *std::move(message);
    std::this_thread::sleep_for(20us);
  }
}

/// A message that tells whether every byte of it is the right one.
std::string sample(std::size_t size, int from, int to, int number) {
  std::string bytes(size, '\0');
  std::uint32_t state = static_cast<std::uint32_t>(from * 7919 + to * 104729 + number) | 1u;
  for (char& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

void ring(Ranks& ranks) {
  const int size = ranks.size(), rounds = 1000;
  const int next = (ranks.rank() + 1) % size, before = (ranks.rank() + size - 1) % size;
  const auto start = std::chrono::steady_clock::now();
  if (ranks.rank() == 0) ranks.send(next, "0");
  for (int round = 0; round < rounds; ++round) {
    const Ranks::Message message = wait_for_message(ranks);
    require(message.from == before, "a message from the wrong side");
    const int expected = round * size + before;
    require(message.bytes == std::to_string(expected), "got " + message.bytes + " instead of " + std::to_string(expected));
    if (ranks.rank() == 0 && round + 1 == rounds) break;
    ranks.send(next, std::to_string(expected + 1));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (ranks.rank() == 0) std::cout << "ring " << 1e6 * seconds / (rounds * size) << " us per message\n";
  ranks.finish();
  require(!ranks.receive(), "one message too many");
}

/// Everybody sends to everybody, sizes up to 10 MB; half of it is read after finish().
void flood(Ranks& ranks) {
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 300; ++i) sizes.push_back(static_cast<std::size_t>(i % 7 == 0 ? 0 : (i * 37) % 5000));
  for (const std::size_t size : {4095u, 4096u, 4097u, 65536u, 1000000u, 10000000u, 0u, 1u}) sizes.push_back(size);
  std::map<int, std::size_t> arrived;
  std::size_t count = 0;
  const auto take = [&](const Ranks::Message& message) {
    const std::size_t number = arrived[message.from]++;
    require(number < sizes.size(), "too many messages");
    require(message.bytes == sample(sizes[number], message.from, ranks.rank(), static_cast<int>(number)),
            "message " + std::to_string(number) + " is not the one that was sent");
    ++count;
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (int to = 0; to < ranks.size(); ++to) {
      if (to != ranks.rank()) ranks.send(to, sample(sizes[i], ranks.rank(), to, static_cast<int>(i)));
    }
    if (i % 2 == 0) {
      if (const auto message = ranks.receive()) take(*message);
    }
  }
  ranks.finish();
  while (const auto message = ranks.receive()) take(*message);
  const std::size_t expected = sizes.size() * static_cast<std::size_t>(ranks.size() - 1);
  require(count == expected, std::to_string(count) + " messages of " + std::to_string(expected));
}

/// Messages of several pieces, in both directions, while small ones go past.
void large(Ranks& ranks) {
  const std::size_t megabytes = 50;
  const int other = ranks.rank() ^ 1;
  if (other < ranks.size()) {
    const std::string mine = sample(megabytes * 1000 * 1000, ranks.rank(), other, 1);
    const std::string theirs = sample(megabytes * 1000 * 1000, other, ranks.rank(), 1);
    const auto start = std::chrono::steady_clock::now();
    ranks.send(other, mine);
    ranks.send(other, "small");
    require(wait_for_message(ranks).bytes == theirs, "a large message is not the one that was sent");
    require(wait_for_message(ranks).bytes == "small", "the message behind it is not the one that was sent");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (ranks.rank() == 0) std::cout << "large " << seconds << " s for twice " << megabytes << " MB\n";
  }
  ranks.finish();
}

/// Rank 1 is busy after a large message to rank 0, which goes on with what rank 2 sends.
void busy_sender(Ranks& ranks) {
  require(ranks.size() == 3, "for three ranks");
  const std::string much = sample(5000000, 1, 0, 0);
  if (ranks.rank() == 0) {
    std::map<int, double> when;
    const double start = seconds_now();
    double longest = 0, last = start;
    while (when.size() < 2) {
      const auto message = ranks.receive();
      longest = std::max(longest, seconds_now() - last);
      if (message) when[message->from] = seconds_now() - start;
      if (message && message->from == 1) require(message->bytes == much, "not what was sent");
      last = seconds_now();
    }
    std::cout << "busy sender: rank 2 after " << when[2] << " s, rank 1 after " << when[1] << " s, longest call " << longest
              << " s\n";
    require(when[2] < 1.5, "the message of rank 2 waited for rank 1");
    require(longest < 0.9, "receive() waited");
  } else if (ranks.rank() == 1) {
    ranks.send(0, much);
    std::this_thread::sleep_for(2s);
  } else {
    std::this_thread::sleep_for(300ms);
    ranks.send(0, "done");
  }
  ranks.finish();
}

/// Whoever waits in finish() leaves the processor to others.
void patience(Ranks& ranks) {
  if (ranks.rank() == 0) std::this_thread::sleep_for(2s);
  const std::clock_t before = std::clock();
  ranks.finish();
  const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  require(used < 0.8, "finish() used a processor for " + std::to_string(used) + " s");
}

void wait_for_ever(Ranks& ranks) {
  while (true) {
    ranks.receive();
    std::this_thread::sleep_for(1ms);
  }
}

/// `abort RANK CODE`
void abort_all(Ranks& ranks, int who, int code) {
  if (ranks.rank() == who) {
    std::this_thread::sleep_for(200ms);
    std::cout << "about to abort";  // no end of line: it must come out nevertheless
    ranks.abort(code);
  }
  wait_for_ever(ranks);
}

/// `throw RANK`: it leaves without a word.
void leave(Ranks& ranks, int who) {
  if (ranks.rank() == who) {
    std::this_thread::sleep_for(200ms);
    throw std::runtime_error("rank " + std::to_string(who) + " leaves");
  }
  wait_for_ever(ranks);
}

volatile std::sig_atomic_t last_signal = 0;

/// `die RANK FOLDER`: it is killed. All others write down the signals that reach them, and go on as long as they can.
void die(Ranks& ranks, int who, const std::string& folder) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGCONT, SIGUSR1, SIGUSR2, SIGPIPE}) {
    std::signal(number, [](int signal) { last_signal = signal; });
  }
  std::ofstream log(folder + "/" + std::to_string(ranks.rank()));
  log.setf(std::ios::fixed);
  for (int other = 0; other < ranks.size(); ++other) {
    if (other != ranks.rank()) ranks.send(other, "ready");
  }
  for (int i = 1; i < ranks.size(); ++i) wait_for_message(ranks);
  if (ranks.rank() == who) {
    std::this_thread::sleep_for(200ms);
    log << seconds_now() << " killed" << std::endl;
    std::raise(SIGKILL);
  }
  double noted = 0;
  while (true) {
    if (last_signal != 0) log << seconds_now() << " signal " << last_signal << std::endl;
    last_signal = 0;
    try {
      ranks.receive();
    } catch (const std::exception& failure) {
      log << seconds_now() << " failure " << failure.what() << std::endl;
    }
    if (seconds_now() - noted > 0.02) {
      noted = seconds_now();
      log << noted << " alive" << std::endl;
    }
    std::this_thread::sleep_for(1ms);
  }
}

int run(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "info" : words[0];
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<Ranks> ranks = noslip::join_ranks();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!ranks) {
    std::cout << "alone\n";
    return 0;
  }
  if (what == "info") {
    std::cout << "rank " + std::to_string(ranks->rank()) + " of " + std::to_string(ranks->size()) + ", " +
                     std::to_string(ranks->size_here()) + " here, processors " + std::to_string(ranks->processors()) +
                     ", joined in " + std::to_string(seconds) + " s\n";
    ranks->finish();
  } else if (what == "ring") {
    ring(*ranks);
  } else if (what == "flood") {
    flood(*ranks);
  } else if (what == "large") {
    large(*ranks);
  } else if (what == "busy") {
    busy_sender(*ranks);
  } else if (what == "patience") {
    patience(*ranks);
  } else if (what == "abort") {
    abort_all(*ranks, std::stoi(words.at(1)), std::stoi(words.at(2)));
  } else if (what == "throw") {
    leave(*ranks, std::stoi(words.at(1)));
  } else if (what == "die") {
    die(*ranks, std::stoi(words.at(1)), words.at(2));
  } else {
    throw std::runtime_error("unknown: " + what);
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const noslip::InputError& error) {
    std::cerr << "input error: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "failed: " << error.what() << "\n";
    return 5;
  }
}
