/// The number of a person, or of another owner of a key: a meaningless pseudonym that is never
/// reused.
///
/// It is random, so that nobody can count people or guess the next number, and so that a database
/// restored from a backup never reuses the number of an erased person.
package struct PersonNumber: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, from 1 to 2^53 - 1, which every program can represent exactly.
    package let rawValue: Int64

    /// Creates a person number from a stored value.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Generates a random number that is not in use.
    package static func random() -> PersonNumber {
        PersonNumber(rawValue: Int64.random(in: 1..<(1 << 53)))
    }

    /// Compares the numbers; the order has no meaning.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
