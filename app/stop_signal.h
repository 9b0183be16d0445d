#pragma once
/// Ctrl-C and termination, as a question that long work asks.

namespace attnlab::app {

/// From now on SIGINT and SIGTERM are counted instead of ending the program, but for the one that makes it `most`: that
/// ends it at once, with exit code 130. Files are written so that this harms none. Signals within a fifth of a second
/// are one (timeout(1) sends two). The first writes `notice`, which lives as long as the program, to stderr if that is
/// a terminal.
void count_stop_signals(int most, const char* notice);

/// How often the program has been asked to stop.
int stop_signals();

}  // namespace attnlab::app
