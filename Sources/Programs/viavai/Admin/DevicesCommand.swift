import Agenda
import ArgumentParser
import Foundation
import Identity
import Taxi
import WebApp

/// `viavai admin devices`: the devices that people may pair with their vehicles.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Register devices that report where vehicles are.",
        subcommands: [Add.self]
    )

    /// `viavai admin devices add`: registers the devices of a file.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Register the devices of a file.",
            discussion: """
                Each line of the file is an identifier and a secret with a comma between them. \
                People enter both to pair a device with their car or bicycle. An identifier has 4 \
                to 32 letters, digits and hyphens; a secret has 16 to 64 characters. If a line is \
                wrong, nothing is registered. A device that is known already keeps its secret. \
                Only digests are stored: delete the file afterwards.
                """
        )

        @OptionGroup var sources: SettingSources

        @Argument(help: "The file.")
        var file: String

        func run() async throws {
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw CommandFailure.badInput("\(file): cannot be read; is the path right?")
            }
            var wrong: [Int] = []
            let text = String(decoding: bytes, as: UTF8.self)
            let devices = DeviceSecret.list(text, wrong: &wrong)
            for line in wrong {
                Console.note(
                    "\(file):\(line): write an identifier of 4 to 32 letters, digits and "
                        + "hyphens, a comma, and a secret of 16 to 64 characters"
                )
            }
            guard wrong.isEmpty, !devices.isEmpty else {
                throw CommandFailure.badInput("\(file): no device was registered")
            }
            let installation = try await Installation(
                try sources.settings(),
                clock: ServiceClock.system(startingAt: SystemClock.moment),
                workers: PasswordWorkers()
            )
            defer { installation.close() }
            let added = try await installation.agenda.register(devices)
            Console.note(
                "\(added) devices were registered; \(devices.count - added) were known before."
            )
        }
    }
}
