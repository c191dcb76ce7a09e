// The data files of a run or an ensemble, which all get the same rows.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/io/row_sink.hpp>

namespace noslip {

/// All files get the same rows. They are made with the first one, or where a checkpoint needs them, so that a run that is
/// refused leaves no empty or overwritten file behind.
class DataFiles {
 public:
  DataFiles() = default;
  /// `common`: what they are opened with, whatever their names.
  DataFiles(const std::vector<std::string>& names, RowFile common);

  bool empty() const { return files_.empty(); }
  /// Is one of them standard output (`-`)?
  bool use_standard_output() const;
  /// Makes them, also if no row comes.
  void open();
  void write(std::span<const double> row);
  /// Of files that have a place for it, after the last row.
  void add_record(const std::string& record);
  /// Closes every file, also if that fails for one of them.
  void close();
  long long rows() const { return rows_; }  ///< so far, those before a checkpoint included
  /// Of the files that were made.
  std::vector<std::string> written() const;

  /// Where they are. Saved, all rows so far are in the files; loaded, they go on from there with the next row.
  void carry(Archive& archive);

 private:
  struct File {
    std::string name;
    std::unique_ptr<RowSink> sink;
    std::string saved;  ///< of the run that this one is the rest of; empty: there is none
    bool is_ours = false;  ///< what has the name of the file was written by this run, before a break
  };
  void open(File& file);

  std::vector<File> files_;
  RowFile common_;
  long long rows_ = 0;
};

}  // namespace noslip
