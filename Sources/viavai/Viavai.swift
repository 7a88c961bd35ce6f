import ArgumentParser

@main
struct Viavai: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viavai",
        abstract: "The mobility of a city, in one self-hosted server."
    )
}
