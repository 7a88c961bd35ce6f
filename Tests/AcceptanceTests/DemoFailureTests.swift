import Testing

/// A demo that cannot run fails at once, not after the minutes that creating a city takes.
@Suite("A demo that cannot be")
struct DemoFailureTests {
    @Test(
        "fails with a one-line message",
        arguments: [
            ["--listen", "0.0.0.0:8080"], ["--listen", "192.168.1.2:8080"], ["--taxis", "0"],
            ["--taxis", "2001"], ["--listen", "nowhere"],
        ]
    )
    func refused(options: [String]) throws {
        let run = try Program.run(["demo"] + options)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("viavai: "), "\(run.errors)")
    }
}
