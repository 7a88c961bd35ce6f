import Foundation
import Testing

/// Issue 4: parses the systemd units and the nftables rules.
@Suite("What is deployed")
struct DeployTests {
    private static let units = ["viavai.service", "viavai-backup.service", "viavai-backup.timer"]

    /// Returns the settings of a unit: section, name, value.
    private static func settings(of unit: String) throws -> [(String, String, String)] {
        var section = ""
        var found: [(String, String, String)] = []
        for line in Checkout.text("deploy/" + unit).split(separator: "\n") {
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
                continue
            }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try #require(parts.count == 2 && !section.isEmpty, "\(unit): \(line)")
            found.append((section, String(parts[0]), String(parts[1])))
        }
        return found
    }

    @Test("every unit has its sandbox, and its limits", arguments: units.prefix(2))
    func sandbox(unit: String) throws {
        let settings = try Self.settings(of: unit)
        let service = settings.filter { $0.0 == "Service" }
        func values(_ name: String) -> [String] { service.filter { $0.1 == name }.map { $0.2 } }
        for name in [
            "NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "RestrictNamespaces",
            "ProtectKernelTunables", "ProtectKernelModules", "ProtectControlGroups",
            "RestrictSUIDSGID", "LockPersonality", "MemoryDenyWriteExecute",
        ] { #expect(values(name) == ["yes"], "\(unit): \(name)") }
        #expect(values("ProtectSystem") == ["strict"])
        #expect(values("User") == ["viavai"])
        #expect(values("MemoryMax").count == 1)
        #expect(values("UMask") == ["0077"])
        #expect(values("ExecStart").allSatisfy { $0.hasPrefix("/usr/local/bin/viavai ") })
        #expect(values("SystemCallFilter").contains("@system-service"))
    }

    @Test("the server may listen below 1024 and nothing more, and is told to read again")
    func server() throws {
        let settings = try Self.settings(of: "viavai.service")
        let named = Dictionary(settings.map { ($0.1, $0.2) }) { first, _ in first }
        #expect(named["CapabilityBoundingSet"] == "CAP_NET_BIND_SERVICE")
        #expect(named["AmbientCapabilities"] == "CAP_NET_BIND_SERVICE")
        #expect(named["LimitNOFILE"] == "65536")
        #expect(named["ExecReload"] == "/bin/kill -HUP $MAINPID")
        #expect(named["WantedBy"] == "multi-user.target")
    }

    @Test("the server is started again for at least an hour while it cannot (issue 29, fault 7)")
    func startsAgain() throws {
        let settings = try Self.settings(of: "viavai.service")
        let named = Dictionary(settings.map { ($0.1, $0.2) }) { first, _ in first }
        let interval = try #require(Int(named["StartLimitIntervalSec"] ?? ""))
        let starts = try #require(Int(named["StartLimitBurst"] ?? ""))
        let pause = try #require(Int(named["RestartSec"] ?? ""))
        #expect(named["Restart"] == "always")
        #expect(starts * pause >= 3_600)
        // The limit is reached even if each start takes as long as the pause between two starts.
        #expect(interval >= starts * 2 * pause)
    }

    /// The system calls of `@resources` in systemd 252, all of which `@system-service` includes.
    private static let resourceCalls: Set<String> = [
        "ioprio_set", "mbind", "migrate_pages", "move_pages", "nice", "sched_setaffinity",
        "sched_setattr", "sched_setparam", "sched_setscheduler", "set_mempolicy",
        "set_mempolicy_home_node", "setpriority", "setrlimit",
    ]

    /// Returns which of these calls a unit permits, by systemd's rules: each line adds to or
    /// removes from the earlier ones.
    private static func allowedResourceCalls(of unit: String) throws -> Set<String> {
        var allowed: Set<String> = []
        for (_, name, value) in try settings(of: unit) where name == "SystemCallFilter" {
            let denies = value.hasPrefix("~")
            for word in value.drop(while: { $0 == "~" }).split(separator: " ").map(String.init) {
                let isGroup = word == "@system-service" || word == "@resources"
                let calls = isGroup ? resourceCalls : resourceCalls.intersection([word])
                if denies { allowed.subtract(calls) } else { allowed.formUnion(calls) }
            }
        }
        return allowed
    }

    @Test("in its sandbox threads that hash passwords may give way, and nothing more (issue 4)")
    func givesWay() throws {
        #expect(try Self.allowedResourceCalls(of: "viavai.service") == ["sched_setattr"])
    }

    @Test("systemd itself accepts the units, where it is installed")
    func accepted() throws {
        let tool = "/usr/bin/systemd-analyze"
        guard FileManager.default.isExecutableFile(atPath: tool) else {
            try Test.cancel("this machine has no systemd to ask")
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("viavai-units-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The check also looks for the program, which is not installed here.
        for unit in Self.units {
            let text = Checkout.text("deploy/" + unit)
                .replacingOccurrences(of: "/usr/local/bin/viavai", with: "/bin/true")
            try Data(text.utf8).write(to: folder.appendingPathComponent(unit))
        }
        let paths = Self.units.map { folder.appendingPathComponent($0).path }
        let verified = try Self.run(tool, ["verify"] + paths)
        #expect(verified.code == 0 && verified.text.isEmpty, "\(verified.text)")
    }

    @Test("the rules let in the service and administration, and drop what they do not name")
    func rules() throws {
        let text = Checkout.text("deploy/nftables.conf")
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.hasPrefix("#") }
        let opened = lines.filter { $0.hasSuffix("{") }.count
        #expect(opened == lines.filter { $0 == "}" }.count)
        let hooks = lines.filter { $0.hasPrefix("type filter hook") }
        #expect(hooks.count == 3)
        #expect(hooks.allSatisfy { $0.hasSuffix("policy drop;") })
        let start = try #require(lines.firstIndex(of: "chain input {"))
        let end = try #require(lines.firstIndex(of: "chain forward {"))
        let ports = lines[start..<end].flatMap { line in
            line.matches(of: /dport (\{[^}]*\}|[0-9]+)/).flatMap { match in
                match.1.matches(of: /[0-9]+/).compactMap { Int($0.0) }
            }
        }
        #expect(Set(ports) == [22, 80, 443])
        let administration = lines[start..<end].filter { $0.contains("dport 22") }
        #expect(
            administration.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
                == ["ip saddr @administration", "ip6 saddr @administration6"]
        )
        // The rate limit for new connections comes before they are accepted, for IPv4 and IPv6.
        let opening = try #require(lines.firstIndex(of: "tcp dport { 80, 443 } accept"))
        let burst = "limit rate over 100/second burst 400 packets } drop"
        for hasty in ["@hasty { ip saddr", "@hasty6 { ip6 saddr & ffff:ffff:ffff:ffff::"] {
            let rule = "tcp dport { 80, 443 } ct state new add \(hasty) \(burst)"
            #expect(lines[start..<opening].contains(rule))
        }
    }

    @Test("nft itself accepts the rules, where it is installed")
    func acceptedRules() throws {
        let tool = "/usr/sbin/nft"
        guard FileManager.default.isExecutableFile(atPath: tool), getuid() == 0 else {
            try Test.cancel("this machine has no nft that the tests may ask")
        }
        let checked = try Self.run(
            tool,
            [
                "--check", "--file",
                Checkout.root.appendingPathComponent("deploy/nftables.conf").path,
            ]
        )
        #expect(checked.code == 0, "\(checked.text)")
    }

    private static func run(
        _ tool: String,
        _ arguments: [String]
    ) throws -> (
        code: Int32, text: String
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
