/// The greenhouse gases of a journey in micrograms, within a limit or compared like time and trips.
///
/// Micrograms are exact: what vehicles emit is stated in thousandths of grams per kilometre, which
/// are micrograms per metre.
public struct Emissions: Criterion {
    /// The amount of a way or ride that nobody knows; no limit allows it.
    public static let unknown = Int64.max

    /// The greatest amount of a journey.
    public var limit: Int64
    /// Whether journeys that emit less are wanted even if they arrive later.
    public var isCompared: Bool
    /// The way without rides, by its seconds and its amount; no journey is wanted that is as slow
    /// and emits as much.
    public var rival: (seconds: Int32, amount: Int64)?
    /// Micrograms per metre on foot.
    private var walkRate: Int64
    /// Micrograms per metre of each mode, in the order of ``TransitMode``; negative if unknown.
    private var rates: [Int64]
    /// The rides of the window that is searched.
    private var steps: RideSteps?

    /// A limit on emissions, or their comparison.
    ///
    /// - Parameters:
    ///   - rates: the micrograms per metre of each mode; a mode without one is not ridden.
    ///   - walkRate: the micrograms per metre on foot.
    ///   - limit: the limit.
    ///   - isCompared: whether emissions are compared.
    ///   - rival: the way without rides.
    public init(
        rates: [TransitMode: Int64],
        walkRate: Int64 = 0,
        limit: Int64 = .max,
        isCompared: Bool = false,
        rival: (seconds: Int32, amount: Int64)? = nil
    ) {
        self.rates = TransitMode.allCases.map { rates[$0].map { max(0, $0) } ?? -1 }
        self.walkRate = walkRate
        self.limit = limit
        self.isCompared = isCompared
        self.rival = rival
    }

    /// What a number of metres emit; unknown if the rate is.
    public static func micrograms(_ metres: UInt32, at rate: Int64?) -> Int64 {
        guard let rate, rate >= 0 else { return unknown }
        let (product, isTooMuch) = rate.multipliedReportingOverflow(by: Int64(metres))
        return isTooMuch ? unknown : product
    }

    static var isCarried: Bool { true }
    static var countsRides: Bool { true }
    static var none: Int64 { 0 }
    static func amount(of way: Raptor.AccessEgress) -> Int64 { way.micrograms }
    func amount(changing metres: UInt32) -> Int64 { Self.micrograms(metres, at: walkRate) }

    /// Adds two amounts; the sum of an unknown one is unknown.
    @inline(__always)
    public static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? unknown : sum
    }

    static func least(_ one: Int64, _ other: Int64) -> Int64 { min(one, other) }
    static func isNoMore(_ one: Int64, than other: Int64) -> Bool { one <= other }

    func isNoWorse(_ one: Int64, than other: Int64) -> Bool { !isCompared || one <= other }
    func allows(_ amount: Int64) -> Bool { amount <= limit && amount < Self.unknown }

    func within(_ amount: Int64) -> Emissions {
        guard isCompared else { return self }
        var one = self
        one.limit = amount
        one.isCompared = false
        one.rival = nil
        return one
    }

    func bound(to space: LaidOutWindow) -> Emissions {
        var one = self
        one.steps = space.steps
        return one
    }

    func kind(of departure: Int) -> Int32 { steps?.kinds[departure] ?? 0 }
    func otherKind(after departure: Int) -> Int32 { steps?.others[departure] ?? .max }

    func amount(_ amount: Int64, riding kind: Int32, to position: Int) -> Int64 {
        guard let steps, let step = steps.step(kind, to: position) else { return amount }
        return Self.sum(amount, Self.micrograms(step.metres, at: rates[Int(step.mode.rawValue)]))
    }
}
