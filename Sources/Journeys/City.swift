public import Columns
public import Transit

/// A city: the read-only view of a city file's bytes, shared by all who plan in it.
public struct City: Sendable {
    /// The file.
    public let file: SectionFile
    /// Its public transport.
    public let timetable: Timetable

    /// The city in a file.
    public init(_ file: SectionFile) {
        self.file = file
        timetable = Timetable(file)
    }
}
