import Chronology
import CityData
import Columns
import LivingCity
import OpenData
import Taxi
import TripPlanning
import WebApp
import WebCore

/// The one place where errors are turned into messages.
enum FailureText {
    /// The message and exit code for an error; nil for an error of the argument parser.
    static func failure(_ error: any Error) -> CommandFailure? {
        switch error {
        case let failure as CommandFailure: failure
        case let failure as CityImport.Failure: self.failure(failure)
        case let failure as CityFile.Failure: self.failure(failure)
        case let failure as DemoCity.Failure: self.failure(failure)
        case let failure as LogFile.Failure: self.failure(failure)
        case let failure as DemoFailure: self.failure(failure)
        default: OperatorText.line(for: error).map { CommandFailure(code: .environment, text: $0) }
        }
    }

    static func failure(_ error: CityImport.Failure) -> CommandFailure {
        switch error {
        case .nothing:
            .badInput("nothing to import: name a map with --osm FILE or feeds with --gtfs FILE")
        case .streets(let failure): .badInput("\(failure)")
        case .network(let failure):
            .badInput("the streets are inconsistent: \(failure); please report this")
        case .sameName(let name):
            .badInput("two feeds are called \(name): rename one of the files")
        case .feed(let failure): self.failure(failure)
        case .timetable(.unknownZone("", let zone)):
            .badInput("--zone \(zone): unknown time zone; write it like Europe/Rome")
        case .timetable(.unknownZone(let feed, let zone)):
            .badInput(
                "\(feed): agency.txt: agency_timezone: \"\(zone)\" is not a time zone known to "
                    + "this machine; write it like Europe/Rome"
            )
        }
    }

    /// A question about a trip that has no answer.
    static func failure(
        _ error: TripFailure,
        of question: TripQuestion,
        _ zone: ZoneTable
    ) -> CommandFailure {
        let advice =
            switch error {
            case .outside(let name): "\(name) lies off the city's streets"
            case .betweenCities(let from, let to):
                "one is in \(from) and the other in \(to); trips are planned within one city"
            case .outsideTimetable(let first, let last): timetables(from: first, to: last)
            case .tooFar: "it would take more than a day"
            case .disrupted(let disruptions):
                disruptions.map { $0.text(in: zone) }.joined(separator: "; ")
            case .excluded(let modes): MissingText.sentence(modes, in: zone)
            case .noWay, .busy, .deadline, .cancelled: "try another time, or more --modes"
            }
        return .noAnswer(
            "no way from \(question.from.name) to \(question.to.name) at that time; \(advice)"
        )
    }

    /// The days that the timetables cover, both included.
    static func timetables(from first: CivilDate, to last: CivilDate) -> String {
        "the city's timetables run from \(first.iso8601) to \(last.iso8601)"
    }

    static func failure(_ error: LogFile.Failure) -> CommandFailure {
        switch error {
        case .unusable(let text): CommandFailure(code: .environment, text: text)
        case .noLog:
            .badInput("this is no dispatch log; `viavai dispatch simulate --log` makes one")
        case .torn(let entries):
            .badInput("the log ends in the middle of an entry, after \(entries) whole ones")
        case .altered(let entry):
            .badInput("entry \(entry) of the log is not what was written: the log was changed")
        case .unreadable(let entry, let failure):
            .badInput("entry \(entry) of the log cannot be read: \(failure)")
        }
    }

    static func failure(_ error: DemoCity.Failure) -> CommandFailure {
        switch error {
        case .inhabitants(let count):
            .badInput(
                "--inhabitants \(count): the demo city has \(DemoCity.sizes.lowerBound) to "
                    + "\(DemoCity.sizes.upperBound) inhabitants"
            )
        case .days(let count): .badInput("\(count) days: a timetable is made for 1 to 3660 days")
        case .archive(let failure):
            CommandFailure(code: .environment, text: "a feed could not be packed: \(failure)")
        }
    }

    static func failure(_ error: DemoFailure) -> CommandFailure {
        switch error {
        case .notLoopback, .badSettings: .badInput(error.description)
        case .taken, .folderInUse, .badFolder, .noLetter, .noAdministrator, .noGround:
            CommandFailure(code: .environment, text: error.description)
        }
    }

    static func failure(_ error: GTFSFailure) -> CommandFailure {
        switch error {
        case .archive(let failure): self.failure(failure)
        case .missingFile(let feed, let file):
            .badInput("\(feed): \(file) is missing; without it this is not a GTFS feed")
        case .missingColumn(let feed, let file, let column):
            .badInput("\(feed): \(file): line 1: the column \(column) is missing")
        case .tooManyRows(let feed, let file):
            .badInput("\(feed): \(file) has more rows than Viavai can number")
        case .nothingUsable(let feed, let file):
            .badInput("\(feed): \(file) has no usable row")
        }
    }

    static func failure(_ error: ZipArchive.Failure) -> CommandFailure {
        switch error {
        case .unreadable(let path): .badInput("\(path): cannot be read; is the path right?")
        case .notAnArchive(let path):
            .badInput("\(path): is not a zip archive, or it is damaged; download it again")
        case .tooLarge(let path, let member):
            .badInput("\(path): \(member) would unpack to a suspicious size; refused")
        case .tooManyMembers(let path): .badInput("\(path): contains too many files; refused")
        case .damagedMember(let path, let member):
            .badInput("\(path): \(member) is damaged; download the archive again")
        }
    }

    static func failure(_ error: CityFile.Failure) -> CommandFailure {
        switch error {
        case .unreadable(let path): .badInput("\(path): cannot be read; is the path right?")
        case .unwritable(let path):
            CommandFailure(
                code: .environment,
                text: "\(path): cannot be written; is there space, and do you have permission?"
            )
        case .noFolder(let path, let folder):
            CommandFailure(
                code: .environment,
                text: "\(path): there is no folder \(folder); create it first"
            )
        case .noFile(let path):
            .badInput("\(path): is no file; name the city file itself, such as \(example(path))")
        case .interrupted(let path):
            CommandFailure(code: .environment, text: "\(path): interrupted, not written")
        case .damaged(let path, let failure): .badInput("\(path): \(text(failure))")
        }
    }

    /// An example path of a city file inside a folder that was given instead of a file.
    private static func example(_ folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + "x.city"
    }

    /// A description of what is wrong with a section file.
    static func text(_ failure: SectionFile.Failure) -> String {
        func name(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        return switch failure {
        case .truncated(let expected, let actual):
            "is cut short (\(actual) of \(expected) bytes); copy or import it again"
        case .notASectionFile: "is not a city file; create one with viavai city import"
        case .otherVersion(let version):
            "was written by another version of Viavai (format \(version), this one reads "
                + "\(SectionFile.formatVersion)); import the city again"
        case .damagedTable: "is damaged in its table of sections; copy or import it again"
        case .sectionOutOfBounds(let bytes):
            "is damaged: the section \(name(bytes)) lies outside the file; import it again"
        case .damagedSection(let bytes):
            "is damaged in the section \(name(bytes)); copy or import it again"
        case .damagedPadding(let offset): "is damaged at byte \(offset); copy or import it again"
        }
    }
}
