package import Columns
package import OpenData

/// Makes a city file out of the open data of a city.
package enum CityImport {
    /// A GTFS feed as the operator names it: a file and the weeks by which its days are moved.
    package struct FeedArgument: Sendable, Equatable {
        /// The zip archive or folder.
        package let path: String
        /// Whole weeks, positive into the future.
        package let shiftWeeks: Int32

        /// The largest move that makes sense: a century.
        static let shiftLimit: Int32 = 5_218

        /// `FILE`, `FILE@+Nw` or `FILE@-Nw`; nil where what follows the `@` is no such move.
        package init?(_ argument: String) {
            guard let at = argument.lastIndex(of: "@"), argument.hasSuffix("w") else {
                path = argument
                shiftWeeks = 0
                return
            }
            let move = argument[argument.index(after: at)...].dropLast()
            guard let sign = move.first, sign == "+" || sign == "-" else {
                path = argument
                shiftWeeks = 0
                return
            }
            guard let weeks = Int32(move), abs(weeks) <= Self.shiftLimit else { return nil }
            path = String(argument[..<at])
            shiftWeeks = weeks
        }

        /// The feed's name: the file's name without extension.
        package var name: String {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
            return String(file[..<dot])
        }
    }

    /// A step of an import, for people who wait.
    package enum Step: Sendable, Equatable {
        /// Reading a feed.
        case readingFeed(String)
        /// Building the timetable.
        case buildingTimetable
        /// Writing the file.
        case writing
    }

    /// What was repaired in one input.
    package struct Repairs: Sendable {
        /// The input's name.
        package let input: String
        /// What was repaired in it.
        package let log: DiagnosticLog
    }

    /// Why an import failed.
    package enum Failure: Error, Equatable, Sendable {
        /// A feed cannot be read.
        case feed(GTFSFailure)
        /// A timetable cannot be built.
        case timetable(TimetableBuilder.Failure)
        /// Two feeds have the same name, so that stops could not be told apart.
        case sameName(String)
        /// There is nothing to import.
        case nothing
    }

    /// Imports feeds.
    ///
    /// - Parameters:
    ///   - feeds: the feeds.
    ///   - progress: told of each step before it begins.
    /// - Returns: the city file's sections, and what was repaired.
    /// - Throws: ``Failure``; nothing has been written then.
    package static func run(
        feeds: [FeedArgument],
        progress: (Step) -> Void
    ) throws(Failure) -> (writer: SectionWriter, repairs: [Repairs]) {
        guard !feeds.isEmpty else { throw .nothing }
        var inputs: [FeedInput] = []
        var repairs: [Repairs] = []
        for argument in feeds {
            guard !inputs.contains(where: { $0.feed.name == argument.name }) else {
                throw .sameName(argument.name)
            }
            progress(.readingFeed(argument.name))
            do throws(GTFSFailure) {
                let result = try GTFSReader.read(
                    FeedSource.at(path: argument.path),
                    name: argument.name
                )
                inputs.append(FeedInput(result.feed, shiftWeeks: argument.shiftWeeks))
                repairs.append(Repairs(input: argument.name, log: result.log))
            } catch {
                throw .feed(error)
            }
        }
        progress(.buildingTimetable)
        var writer = SectionWriter()
        do throws(TimetableBuilder.Failure) {
            let log = try TimetableBuilder.add(inputs, walks: nil, to: &writer)
            repairs.append(Repairs(input: "timetable", log: log))
        } catch {
            throw .timetable(error)
        }
        return (writer, repairs)
    }
}
