import ArgumentParser

/// `viavai dispatch`: the taxi dispatcher's simulation and its log.
struct DispatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dispatch",
        abstract: "Simulate the taxi dispatcher and examine its log.",
        subcommands: [
            SimulateCommand.self, ReplayCommand.self, ExplainCommand.self, WhatIfCommand.self,
            ExportCommand.self,
        ]
    )
}
