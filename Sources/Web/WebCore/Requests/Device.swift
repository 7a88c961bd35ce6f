/// A short description of a browser from its user agent.
package enum Device {
    private static let browsers = [
        ("Firefox/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"), ("Chrome/", "Chrome"),
        ("Lynx/", "Lynx"), ("Safari/", "Safari"), ("w3m/", "w3m"), ("Links", "Links"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
        ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]

    /// The browser and operating system, as far as they are recognized; empty if neither is.
    package static func text(for agent: String) -> String {
        let browser = browsers.first { agent.contains($0.0) }?.1
        let system = systems.first { agent.contains($0.0) }?.1
        return [browser, system].compactMap(\.self).joined(separator: ", ")
    }
}
