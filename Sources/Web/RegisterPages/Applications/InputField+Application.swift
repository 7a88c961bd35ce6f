import Identity
import WebCore

extension [InputField] {
    /// The registration of an application.
    static let application: [InputField] = [
        .typed("name", .text(80), "The name that people see."),
        .typed("contact", .text(254), "The e-mail address of the person in charge."),
        .typed("redirects", .text(10_000), "The redirect addresses, one per line."),
        .set("native", .flag("yes"), "Whether it runs on people's devices."),
        .set("devices", .flag("yes"), "Whether people connect it with a code of a device."),
        .set(
            "scopes",
            .several(.choice(of: Scope.self), Scope.allCases.count),
            "What the application may do."
        ).explained,
        .typed("rate", .number(1...100_000), "How many requests a minute it may send."),
    ]
}
