/// A component of a calendar: its properties and nested components, in order (RFC 5545, 3.6).
///
/// Unknown properties, unknown components and unreadable lines stay where they are, byte for byte.
package struct ICalendarComponent: Hashable, Sendable {
    /// A part of a component.
    package enum Entry: Hashable, Sendable {
        /// A property of the component.
        case property(ICalendarProperty)
        /// A nested component.
        case component(ICalendarComponent)
        /// A line that is not a property, with the reason; it is written as it was read.
        case unreadable(ArraySlice<UInt8>, ICalendarFailure)
    }

    /// Its name in capital letters, such as `VEVENT`.
    package let name: String
    /// The number of the line where it begins, from 1; 0 if it was not read from a file.
    package let line: Int
    /// Its properties, nested components and unreadable lines.
    package var entries: [Entry]
    /// Its first and last lines as they were read; empty if it was not read from a file.
    let opening: ArraySlice<UInt8>
    var closing: ArraySlice<UInt8> = []

    /// Creates a component with properties.
    package init(_ name: String, _ properties: [ICalendarProperty] = []) {
        self.name = name.uppercased()
        line = 0
        opening = []
        entries = properties.map { .property($0) }
    }

    init(name: String, line: Int, opening: ArraySlice<UInt8>) {
        self.name = name
        self.line = line
        self.opening = opening
        entries = []
    }

    /// All its properties, in order.
    package var properties: [ICalendarProperty] {
        entries.compactMap { if case .property(let property) = $0 { property } else { nil } }
    }

    /// All nested components, in order.
    package var components: [ICalendarComponent] {
        entries.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// The first property with a name.
    package func property(_ name: String) -> ICalendarProperty? {
        for case .property(let property) in entries where property.name == name { return property }
        return nil
    }

    /// All properties with a name, in order.
    package func properties(_ name: String) -> [ICalendarProperty] {
        properties.filter { $0.name == name }
    }

    /// Replaces the first property of the same name and removes the others; if there is none, adds
    /// the property before the nested components.
    package mutating func set(_ property: ICalendarProperty) {
        let place = entries.firstIndex { $0.isProperty(property.name) }
        remove(property.name)
        let behind = entries.firstIndex { if case .component = $0 { true } else { false } }
        entries.insert(.property(property), at: place ?? behind ?? entries.count)
    }

    /// Removes all properties with a name.
    package mutating func remove(_ name: String) {
        entries.removeAll { $0.isProperty(name) }
    }

    /// The lines within it that are not properties, with the reasons.
    package var unreadable: [ICalendarFailure] {
        entries.flatMap { entry in
            switch entry {
            case .property: [ICalendarFailure]()
            case .component(let component): component.unreadable
            case .unreadable(_, let failure): [failure]
            }
        }
    }
}

extension ICalendarComponent.Entry {
    fileprivate func isProperty(_ name: String) -> Bool {
        if case .property(let property) = self { property.name == name } else { false }
    }
}
