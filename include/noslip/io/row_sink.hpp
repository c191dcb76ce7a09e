// Where rows of numbers go: data files of any format behind one interface.
//
//   const std::unique_ptr<RowSink> sink = open_rows("run.csv", false, row_columns(system));
//   RowReader read(row_columns(system));
//   options.every = 1;
//   options.sink = [&](const Sample& sample) { sink->write(read(sample)); };
//   integrate(system, options);
//   sink->close();
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/run/columns.hpp>

namespace noslip {

/// A file under construction. Rows are written as they come: memory does not grow with their number, and what is there
/// after a failure is valid (FILE.part of an NPZ file is one array of rows). Rows reach the file about once a second,
/// and at once if they are slow. FileError (io/output_file.hpp) where something cannot be
/// written.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// One number per column (assert); of an ensemble as many as MemberRows says. InputError, and the row is not written,
  /// if a column of words has one that is not the number of a word.
  virtual void write(std::span<const double> row) = 0;
  /// Some bytes behind the rows, for whoever goes on with the file (RowSource::record): once, after the last row and
  /// before close(), if the file was opened with `has_record`.
  virtual void add_record(std::string_view bytes) = 0;
  /// To be called once, after the last row, also after a failure; FileError if not everything arrived. Without it a
  /// file may lack rows.
  virtual void close() = 0;
  /// Everything that was written so far is in the file, in whole rows, when this returns. The result is what
  /// resume_rows() needs to go on from here: some bytes without a meaning for others, among them a checksum.
  virtual std::string save() = 0;
};

/// Values by name, as they were given: "0.1" is a tenth.
using NotedValues = std::vector<std::pair<std::string, std::string>>;

/// What a file tells of its origin, if its format has a place for it: attributes of an HDF5 file, the comment of
/// an NPZ file (a JSON document).
struct FileNotes {
  std::string system = {};  ///< the text of the system file
  std::string method = {};  ///< name of the method
  double step = 0;          ///< step size; 0: not known
  NotedValues set = {};     ///< parameters that differ from the system file
  NotedValues init = {};    ///< initial values that differ
  NotedValues input = {};   ///< values of inputs, or names of files with them
  NotedValues files = {};   ///< the texts of these files
  NotedValues options = {};  ///< other options that change the numbers
};

/// Of the file of an ensemble: a row is a member. It has one number for each of the first columns, then column after
/// column the values over the times. A column of the times is not among them; the file gets one, `t`.
struct MemberRows {
  /// Columns with one number per member, at least one (assert): its number, then for example what varies.
  std::size_t of_member = 1;
  std::vector<double> times = {};  ///< at least one (assert)
};

/// What a data file is opened with.
struct RowFile {
  std::string name = {};
  bool overwrites = false;
  std::vector<Column> columns = {};
  FileNotes notes = {};
  std::optional<MemberRows> members = {};  ///< nothing: a row is a moment
  std::string when_full = {};  ///< what to do then, beside making room, for messages: "store fewer rows"
  /// There is a place for a record: `/part` of HDF5, `part` of NPZ, lines of comments at the end of CSV.
  bool has_record = false;
  bool keeps_beginning = true;  ///< NAME.part stays if the rest cannot be written
};

class RowSource;

/// A kind of data file.
struct RowFormat {
  const char* name;    ///< "CSV"
  const char* ending;  ///< of the names of such files, with the dot
  /// Creates the file (see OutputFile) with these columns, or goes on with one.
  std::unique_ptr<RowSink> (*open)(const RowFile& file);
  std::unique_ptr<RowSink> (*resume)(const RowFile& file, std::string_view saved);
  std::unique_ptr<RowSource> (*read)(const std::string& file);  ///< io/row_source.hpp
};

/// All formats. The first is a text, for standard output.
std::span<const RowFormat> row_formats();

/// The format that the ending of the name asks for; for `-`, a device or a pipe the first one. InputError, with the
/// endings that there are, for any other name.
const RowFormat& row_format_of(const std::string& file);

/// A file in the format that its name asks for; `-` is standard output. InputError if there are more times than a file
/// of this format can have.
std::unique_ptr<RowSink> open_rows(const RowFile& file);
std::unique_ptr<RowSink> open_rows(const std::string& file, bool overwrite, const std::vector<Column>& columns,
                                   const FileNotes& notes = {});

/// Goes on with a file after its sink returned `saved` from save(): rows that came later are cut off, and the next one
/// follows. The rows are taken from FILE.part or, if that is missing or different, from FILE itself, which stays as it
/// is until close(). Columns, times and notes have to be the same as before. What is written in several such pieces is byte
/// for byte the file that is written in one. FileError that says what differs if the saved rows are not there, and for
/// standard output, devices and pipes. A FILE that exists is refused unless `overwrite` or it begins with these rows.
std::unique_ptr<RowSink> resume_rows(const RowFile& file, std::string_view saved);
std::unique_ptr<RowSink> resume_rows(const std::string& file, bool overwrite, const std::vector<Column>& columns,
                                     std::string_view saved, const FileNotes& notes = {});

}  // namespace noslip
