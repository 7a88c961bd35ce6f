import ArgumentParser
import TripPlanning

/// The limits on single means, which `viavai plan` and `viavai day` share (V75).
struct ModeLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How much of a trip a means may make, as bike@5km,car@15min,taxi@10.50: distance and "
                + "time for bike, bikeshare, scooter, car, carshare and taxi, money for taxis and "
                + "shared vehicles.",
            valueName: "limits"
        )
    )
    var limit: String?

    /// The limits of the option, in its order; throws an error that names the first malformed one.
    func limits() throws -> [ModeLimit] {
        try (limit ?? "").split(separator: ",").map { text in
            let text = text.filter { $0 != " " }
            guard let limit = ModeLimit(text) else {
                throw CommandFailure.badInput(
                    "--limit \(text): write MODE@5km, MODE@15min or taxi@10.50, with a mode of "
                        + ModeLimit.kinds.map(\.modeName).joined(separator: ", ")
                )
            }
            return limit
        }
    }
}
