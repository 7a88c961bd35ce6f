import Agenda
import Localization
import OpenData

/// Why a calendar, or a part of it, is not imported, in words for people.
extension CalendarImport.Failure {
    /// What is wrong with the file.
    func words(megabytes: Int) -> Text {
        switch self {
        case .unreadable(let failure) where failure.problem == .notCalendar:
            ImportingTexts.notCalendar
        case .unreadable(let failure): ImportingTexts.damaged(failure.line, failure.problem.words)
        case .tooLarge: ImportingTexts.tooLarge(megabytes)
        case .tooManyEntries: ImportingTexts.tooManyEntries(CalendarImport.entriesLimit)
        case .tooManyZones: ImportingTexts.tooManyZones
        }
    }
}

extension CalendarFetcher.Failure {
    /// What is wrong with the address.
    func words(megabytes: Int) -> Text {
        switch self {
        case .badAddress: ImportingTexts.badAddress
        case .unreachable: ImportingTexts.unreachable
        case .tooSlow: ImportingTexts.slow
        case .tooLarge: ImportingTexts.tooLarge(megabytes)
        case .tooManyRedirects: ImportingTexts.redirects
        case .refused(let status): ImportingTexts.refused(status)
        case .busy: ImportingTexts.busyFetching
        }
    }
}

extension CalendarImport.Reason {
    /// Why a part of the file is not used.
    var words: Text {
        switch self {
        case .unreadable(let failure): failure.problem.words
        case .otherKind(let name): OmissionTexts.otherKind(name.shortened)
        case .tooLarge: OmissionTexts.tooLarge
        case .ambiguousZone(let name): OmissionTexts.ambiguousZone(name.shortened)
        }
    }
}

extension ICalendarFailure.Problem {
    /// What is wrong in a line.
    fileprivate var words: Text {
        switch self {
        case .tooLarge: OmissionTexts.tooLarge
        case .tooManyLines: OmissionTexts.tooManyLines
        case .tooDeep: OmissionTexts.tooDeep
        case .notCalendar: ImportingTexts.notCalendar
        case .outside: OmissionTexts.outside
        case .notProperty: OmissionTexts.noProperty
        case .badParameter: OmissionTexts.badParameter
        case .unexpectedEnd: OmissionTexts.unexpectedEnd
        case .unclosed(let name): OmissionTexts.unclosed(name.shortened)
        case .missing(let name): OmissionTexts.missing(name.shortened)
        case .repeated(let name): OmissionTexts.repeated(name.shortened)
        case .badValue(let name): OmissionTexts.badValue(name.shortened)
        case .notUTF8(let name): OmissionTexts.notText(name.shortened)
        case .badRule: OmissionTexts.badRule
        case .unknownZone(let name): OmissionTexts.unknownZone(name.shortened)
        case .unsupported(let name): OmissionTexts.unsupported(name.shortened)
        case .endsBeforeStart: OmissionTexts.endsBeforeStart
        case .duplicate: OmissionTexts.duplicate
        }
    }
}

extension String {
    /// A name from a file, which may be a page long.
    fileprivate var shortened: String { count > 60 ? "\(prefix(59))…" : self }
}
