import ArgumentParser
import OpenData
import TripPlanning

/// The options about hours of modes and rain, which `viavai plan` and `viavai day` share.
struct RuleOptions: ParsableArguments {
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
            "A forecast: the address or a file of an answer of Open-Meteo (hourly precipitation) "
                + "or MET Norway. After six hours it is not used; a file counts from when it was "
                + "written.",
            valueName: "url|file"
        )
    )
    var weather: String?

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

    /// What the weather service says.
    func forecasts(_ reader: LiveReader) async throws -> [Forecast] {
        guard let weather else { return [] }
        return [try await reader.forecast(weather)]
    }
}
