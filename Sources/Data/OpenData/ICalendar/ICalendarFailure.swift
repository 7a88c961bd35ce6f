package import Chronology

/// Why a calendar, or one line of it, cannot be used.
package struct ICalendarFailure: Error, Hashable, Sendable {
    /// The number of the line in the file, from 1; that of its first part if it is folded.
    package let line: Int
    /// The error that occurred there.
    package let problem: Problem

    /// What is wrong with a calendar.
    package enum Problem: Hashable, Sendable {
        /// The file exceeds the limit of bytes.
        case tooLarge(limit: Int)
        /// The file exceeds the limit of content lines.
        case tooManyLines(limit: Int)
        /// Components are nested beyond the limit.
        case tooDeep(limit: Int)
        /// There is no component at all.
        case notCalendar
        /// A property stands outside all components.
        case outside
        /// A line has no name or no colon.
        case notProperty
        /// A parameter is malformed.
        case badParameter
        /// A component ends that is not the one that began last.
        case unexpectedEnd
        /// A component never ends.
        case unclosed(String)
        /// A required property is missing.
        case missing(String)
        /// A property occurs more often than permitted.
        case repeated(String)
        /// A property's value is not one of its type.
        case badValue(String)
        /// The value of a property is not UTF-8.
        case notUTF8(String)
        /// A recurrence rule is invalid.
        case badRule(RecurrenceFailure)
        /// A time zone is neither defined in the calendar nor in the IANA database.
        case unknownZone(String)
        /// A property of RFC 2445, no longer defined, would change the meaning of the event.
        case unsupported(String)
        /// An event ends before it begins.
        case endsBeforeStart
        /// Another occurrence or event has the same identifier.
        case duplicate
    }

    /// Creates a failure in a line.
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
