import ArgumentParser
import Chronology
import LiveFeeds
import TripPlanning

/// The options of `viavai plan` about hours of modes, rain, and shared vehicles.
struct LiveOptions: ParsableArguments {
    @OptionGroup
    var rules: RuleOptions

    @Option(
        help: ArgumentHelp(
            "Leave out found trips with more minutes outdoors in the rain, or an unknown time.",
            valueName: "minutes"
        )
    )
    var maxWet: Int64?

    @OptionGroup
    var shared: SharedVehicleOptions

    /// The options that were given, for refusing them.
    var given: [(String, Bool)] {
        [
            ("--avoid", rules.avoid != nil), ("--no-wet", rules.noWet),
            ("--max-wet", maxWet != nil), ("--gbfs", !shared.gbfs.isEmpty),
            ("--weather", rules.weather != nil),
        ]
    }

    func validate() throws {
        if let maxWet, maxWet < 0 {
            throw ValidationError("--max-wet \(maxWet): write a number of minutes, 0 or more")
        }
    }

    /// What the feeds say.
    func world() async throws -> LiveWorld {
        let reader = LiveReader(now: SystemClock.now)
        let systems = try await shared.systems(reader)
        return LiveWorld(systems: systems, forecasts: try await rules.forecasts(reader))
    }

    /// The conditions under which a question is answered: a past moment is answered as it was then.
    static func conditions(
        _ world: LiveWorld,
        for question: TripQuestion,
        now: Instant
    ) -> TripConditions {
        TripConditions(world, now: min(now, question.time))
    }
}

/// The option about shared vehicles, which `viavai plan` and `viavai day` share.
struct SharedVehicleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A system of shared vehicles for bikeshare, scooter and carshare: the address of its "
                + "gbfs.json, or a folder with the files of GBFS; several times for several. What "
                + "is older than ten minutes is not used. For a trip or a day in the past, the age "
                + "counts from then, for recorded feeds.",
            valueName: "url|folder"
        )
    )
    var gbfs: [String] = []

    /// The systems, as their feeds say.
    func systems(_ reader: LiveReader) async throws -> [LiveSystem] {
        var systems: [LiveSystem] = []
        for source in gbfs { systems.append(try await reader.system(source)) }
        return systems
    }
}
