/// The metres walked, within a limit or compared like time and trips.
public struct Walking: Criterion {
    /// The greatest total length of all walks of a journey, in metres.
    public var limit: UInt32
    /// Whether journeys that walk less are wanted even if they arrive later.
    public var isCompared: Bool
    /// The way without rides, by its seconds and metres; no journey is wanted that is as slow and
    /// walks as much.
    public var rival: (seconds: Int32, amount: UInt32)?

    /// Creates a limit on walking, and tells whether walking is compared.
    public init(
        limit: UInt32 = .max,
        isCompared: Bool = false,
        rival: (seconds: Int32, amount: UInt32)? = nil
    ) {
        self.limit = limit
        self.isCompared = isCompared
        self.rival = rival
    }

    static var isCarried: Bool { true }
    static var none: UInt32 { 0 }
    static func amount(of way: Raptor.AccessEgress) -> UInt32 { way.metres }
    func amount(changing metres: UInt32) -> UInt32 { metres }

    /// Adds two distances; the sum of those of a damaged file may overflow.
    @inline(__always)
    static func sum(_ one: UInt32, _ other: UInt32) -> UInt32 {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }

    static func least(_ one: UInt32, _ other: UInt32) -> UInt32 { min(one, other) }
    static func isNoMore(_ one: UInt32, than other: UInt32) -> Bool { one <= other }

    func isNoWorse(_ one: UInt32, than other: UInt32) -> Bool { !isCompared || one <= other }
    func allows(_ amount: UInt32) -> Bool { amount <= limit }
    func within(_ amount: UInt32) -> Walking {
        isCompared ? Walking(limit: amount) : self
    }
}
