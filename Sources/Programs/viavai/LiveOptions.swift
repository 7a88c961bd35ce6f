import ArgumentParser
import Chronology
import LiveFeeds
import OpenData
import TripPlanning

/// The options of `viavai plan` about hours of modes, rain, and shared vehicles.
struct LiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Modes that are not used in some hours, as bike@20:00-07:00,metro@22:00- (until "
                + "midnight); a mode without hours is never used. Walking is about trips on foot "
                + "all the way.",
            valueName: "rules"
        )
    )
    var avoid: String?

    @Flag(
        help: ArgumentHelp(
            "No bicycle or scooter in rain, by --weather; nor where that does not say that it "
                + "stays dry."
        )
    )
    var noWet = false

    @Option(
        help: ArgumentHelp(
            "Leave out found trips with more minutes outdoors in the rain, or an unknown time.",
            valueName: "minutes"
        )
    )
    var maxWet: Int64?

    @Option(
        help: ArgumentHelp(
            "A system of shared vehicles for bikeshare, scooter and carshare: the address of its "
                + "gbfs.json, or a folder with the files of GBFS; several times for several. What "
                + "is older than ten minutes is not used. With --depart in the past, the age "
                + "counts from then, for recorded feeds.",
            valueName: "url|folder"
        )
    )
    var gbfs: [String] = []

    @Option(
        help: ArgumentHelp(
            "A forecast: the address or a file of an answer of Open-Meteo (hourly precipitation) "
                + "or MET Norway. After six hours it is not used; a file counts from when it was "
                + "written.",
            valueName: "url|file"
        )
    )
    var weather: String?

    /// The options that were given, for refusing them.
    var given: [(String, Bool)] {
        [
            ("--avoid", avoid != nil), ("--no-wet", noWet), ("--max-wet", maxWet != nil),
            ("--gbfs", !gbfs.isEmpty), ("--weather", weather != nil),
        ]
    }

    func validate() throws {
        if let maxWet, maxWet < 0 {
            throw ValidationError("--max-wet \(maxWet): write a number of minutes, 0 or more")
        }
    }

    /// The hours of modes.
    func rules() throws -> [ModeHours] {
        try (avoid ?? "").split(separator: ",").map { text in
            let text = text.filter { $0 != " " }
            guard let rule = ModeHours(text) else {
                throw CommandFailure.badInput(
                    "--avoid \(text): write MODE@HH:MM-HH:MM, MODE@HH:MM- or MODE, with a mode of "
                        + ModeReader.known
                )
            }
            return rule
        }
    }

    /// What the feeds say.
    func world() async throws -> LiveWorld {
        let reader = LiveReader(now: SystemClock.now)
        var systems: [LiveSystem] = []
        for source in gbfs { systems.append(try await reader.system(source)) }
        var forecasts: [Forecast] = []
        if let weather { forecasts.append(try await reader.forecast(weather)) }
        return LiveWorld(systems: systems, forecasts: forecasts)
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
