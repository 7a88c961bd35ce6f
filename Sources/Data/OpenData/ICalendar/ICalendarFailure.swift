package import Chronology

/// Why a calendar, or one line of it, cannot be used.
package struct ICalendarFailure: Error, Hashable, Sendable {
    /// The number of the line in the file, from 1; a folded line counts where it begins.
    package let line: Int
    /// The error that occurred there.
    package let problem: Problem

    /// The kinds of errors in a calendar.
    package enum Problem: Hashable, Sendable {
        /// The file has more bytes than are read.
        case tooLarge(limit: Int)
        /// The file has more content lines than are read.
        case tooManyLines(limit: Int)
        /// Components within one another beyond the limit.
        case tooDeep(limit: Int)
        /// There is no component at all.
        case notCalendar
        /// A property outside of all components.
        case outside
        /// A line without a name and a colon.
        case notProperty
        /// A parameter that is spelt wrongly.
        case badParameter
        /// The end of a component that did not begin, or not last.
        case unexpectedEnd
        /// A component that never ends.
        case unclosed(String)
        /// A property that its component must have.
        case missing(String)
        /// A property that stands there more often than it may.
        case repeated(String)
        /// A property whose value is not one of its type.
        case badValue(String)
        /// A property that is not UTF-8.
        case notUTF8(String)
        /// A recurrence rule that is invalid.
        case badRule(RecurrenceFailure)
        /// A time zone that is neither defined in the calendar nor in the IANA database.
        case unknownZone(String)
        /// A property of RFC 2445 that is no longer defined and would change the meaning.
        case unsupported(String)
        /// An event that ends before it begins.
        case endsBeforeStart
        /// Another occurrence or event of the same identifier.
        case duplicate
    }

    /// Creates a failure.
    package init(line: Int, problem: Problem) {
        self.line = line
        self.problem = problem
    }
}

extension ICalendarFailure: CustomStringConvertible {
    /// One line for people, which names the place.
    package var description: String { "\(reason) (line \(line))" }

    /// What is wrong, without the line.
    package var reason: String {
        switch problem {
        case .tooLarge(let limit): "the file has more than \(limit) bytes"
        case .tooManyLines(let limit): "the file has more than \(limit) lines"
        case .tooDeep(let limit): "components are nested more than \(limit) deep"
        case .notCalendar: "the file has no component"
        case .outside: "a property outside of all components"
        case .notProperty: "not a property: no name and colon"
        case .badParameter: "a parameter is spelt wrongly"
        case .unexpectedEnd: "the end of a component that did not begin"
        case .unclosed(let name): "\(name) begins and never ends"
        case .missing(let name): "\(name) is missing"
        case .repeated(let name): "\(name) occurs more often than it may"
        case .badValue(let name): "the value of \(name) is wrong"
        case .notUTF8(let name): "\(name) is not UTF-8"
        case .badRule(let failure): "the rule \(failure.reason)"
        case .unknownZone(let name): "the time zone \(name) is unknown"
        case .unsupported(let name): "\(name) is not supported"
        case .endsBeforeStart: "ends before it begins"
        case .duplicate: "occurs twice"
        }
    }
}
