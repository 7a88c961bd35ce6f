import Columns

/// The least seconds to the destination, as a workspace has been given them (``LowerBounds``).
struct RemainingSeconds {
    private let numbers: [Int32]
    private let start: Int
    private let platformCount: Int

    /// Reads the bounds of a workspace.
    init(_ raptor: Raptor) {
        numbers = raptor.numbers
        start = raptor.layout.remaining
        platformCount = raptor.layout.platformCount
    }

    /// From the arrival at a platform.
    func arrived(_ platform: Int) -> Int32 { numbers[start + platform] }
    /// From being ready to board at a platform.
    func ready(_ platform: Int) -> Int32 { numbers[start + platformCount + platform] }
    /// Aboard at a call, for riders who stay seated.
    func aboard(_ call: Int) -> Int32 { numbers[start + 2 * platformCount + call] }
}
