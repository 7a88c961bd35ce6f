/// The number of a person or a taxi: a pseudonym that says nothing and is never given again.
///
/// It is random, so that nobody can count people or guess a neighbour's number, and so that a
/// database restored from a backup never gives the number of somebody who was erased to another.
package struct PersonNumber: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number, from 1 to 2^53 - 1, so that every program can hold it exactly.
    package let rawValue: Int64

    /// The person of that number.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// A number that nobody has.
    package static func random() -> PersonNumber {
        PersonNumber(rawValue: Int64.random(in: 1..<(1 << 53)))
    }

    /// Pseudonyms have the order of their numbers, which means nothing.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
