#pragma once
/// Ctrl-C and termination, as a question that long work asks.

namespace attnlab::app {

/// From now on SIGINT and SIGTERM are counted instead of ending the program.
void count_stop_signals();

/// How often the program has been asked to stop.
int stop_signals();

}  // namespace attnlab::app
