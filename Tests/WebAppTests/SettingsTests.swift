import Agenda
import LiveFeeds
import Notify
import OpenData
import Storage
import Testing
import WebTestSupport

@testable import HTTPServer
@testable import WebApp

@Suite("Settings")
struct SettingsTests {
    private func settings(
        _ text: String? = nil,
        environment: [String: String] = [:],
        options: [String: String] = [:]
    ) throws(SettingsFaults) -> Settings {
        try Settings(
            file: text.map { ("viavai.yaml", $0) },
            environment: environment,
            options: options
        )
    }

    @Test("without any, a server for trying out listens on loopback with a database beside it")
    func standard() throws {
        let settings = try settings()
        #expect(settings.listen == ListenAddress(host: "127.0.0.1", port: 8_080))
        #expect(settings.listen.isLoopback)
        #expect(settings.database == "sqlite:viavai.sqlite")
        #expect(settings.mail == nil)
    }

    @Test("V88: feeds are named with a kind and an address; a fault names its line")
    func feeds() throws {
        let settings = try settings(
            """
            feeds:
              folder: copies
              bikes: gbfs http://10.0.0.7/gbfs.json?key=secret
              strikes: italian-strikes https://scioperi.mit.gov.it/mit2/public/scioperi/rss
            """
        )
        #expect(settings.feedFolder == "copies")
        #expect(settings.feeds.map(\.name) == ["bikes", "strikes"])
        #expect(settings.feeds.map(\.kind) == [.sharing, .strikes])
        let shown = settings.explained.first { $0.name == "feeds.bikes" }
        #expect(shown?.value == "gbfs http://10.0.0.7" && shown?.source == "viavai.yaml, line 3")
        for wrong in ["gbfs", "gfbs https://a.example", "gbfs a.example", "gbfs ftp://a.example"] {
            let faults = #expect(throws: SettingsFaults.self) {
                try self.settings("feeds:\n  bikes: \(wrong)\n")
            }
            #expect(faults?.description.hasPrefix("viavai.yaml, line 2: feeds.bikes") == true)
        }
    }

    @Test(
        "V98: for which days passes are valid is told by their identifiers; a fault names its line"
    )
    func passes() throws {
        let settings = try settings(
            "passes:\n  mensile: calendar month\n  week.1: 7 days\n"
        )
        #expect(settings.passPeriods == ["mensile": .calendarMonth, "week.1": .days(7)])
        let shown = settings.explained.first { $0.name == "passes.mensile" }
        #expect(shown?.value == "calendar month" && shown?.source == "viavai.yaml, line 2")
        #expect(
            told("passes:\n  mensile: a month\n").hasPrefix("viavai.yaml, line 2: passes.mensile")
        )
    }

    @Test("1.12: the rules on overlaps are chosen by name; a fault lists the names")
    func calendarRules() throws {
        #expect(try settings().calendarRules == .usual)
        #expect(try settings("calendar:\n  rules: s2\n").calendarRules == .s2)
        #expect(try settings(options: ["calendar.rules": "s4"]).calendarRules == .s4)
        #expect(
            told("calendar:\n  rules: S5\n").hasPrefix(
                "viavai.yaml, line 2: calendar.rules: write usual, s2, s3, s4"
            )
        )
    }

    @Test("a variable goes before the file, an option before both (R123)")
    func order() throws {
        let text = """
            # A comment.
            city:
              name: From the file
            database: sqlite:file.sqlite
            listen: 127.0.0.1:1
            """
        let settings = try settings(
            text,
            environment: ["VIAVAI_DATABASE": "sqlite:variable.sqlite", "VIAVAI_LISTEN": "[::1]:2"],
            options: ["listen": "localhost:3"]
        )
        #expect(settings.cityName == "From the file")
        #expect(settings.database == "sqlite:variable.sqlite")
        #expect(settings.listen == ListenAddress(host: "localhost", port: 3))
        let explained = settings.explained.map { "\($0.name) \($0.source)" }
        #expect(explained.contains("city.name viavai.yaml, line 3"))
        #expect(explained.contains("database VIAVAI_DATABASE"))
        #expect(explained.contains("listen the command line"))
    }

    @Test(
        "an address that others reach needs a certificate (R128)",
        arguments: ["0.0.0.0:443", "[::]:443", "192.168.1.2:8080", "127.evil.example:80"]
    )
    func needsTLS(listen: String) {
        #expect(throws: SettingsFaults.self) { try settings(options: ["listen": listen]) }
        #expect(throws: Never.self) {
            try settings(
                "tls: {certificate: a.pem, key: b.pem}\npublic: {address: 'https://a.example'}",
                options: ["listen": listen]
            )
        }
    }

    private func told(_ text: String) -> String {
        do { return try "nothing: \(settings(text).cityName)" } catch { return error.description }
    }

    @Test(
        "an address that no link can lead to is told before anybody gets one (issue 4)",
        arguments: [
            "http://taxi.example.org", "taxi.example.org", "https://", "https://taxi..example.org",
            "https://taxi example.org", "https://taxi.example.org:99999", "https://città.example",
            "https://taxi.example.org/start", "https://a@taxi.example.org", "https://0.0.0.0",
            "https://[::]:443", "https://taxi.example.org?a",
        ]
    )
    func badPublicAddress(address: String) {
        let told = told("public:\n  address: '\(address)'")
        #expect(told.hasPrefix("viavai.yaml, line 2: public.address: write an address such as"))
    }

    @Test(
        "an address that people open is believed as it is written",
        arguments: [
            "https://taxi.example.org", "https://taxi.example.org:8443", "https://192.0.2.1",
            "https://[2001:db8::1]:8443", "http://127.0.0.1:8080", "http://localhost:8080",
        ]
    )
    func goodPublicAddress(address: String) throws {
        #expect(try settings("public: {address: '\(address)/'}").publicAddress == address)
    }

    @Test(
        "a server that listens everywhere says how people reach it, or mails would not (issue 4)",
        arguments: ["0.0.0.0:443", "[::]:443", "[0:0:0:0:0:0:0:0]:443"]
    )
    func everywhere(listen: String) {
        let told = told("tls: {certificate: a.pem, key: b.pem}\nlisten: '\(listen)'")
        #expect(told.hasPrefix("viavai.yaml, line 2: listen: links in messages cannot lead"))
        #expect(told.contains("set public.address"))
    }

    @Test(
        "what the server would refuse at its start the check of its settings tells (issue 4)",
        arguments: [
            ("mail: {server: 'smtp://a:25', from: 'x@'}", "mail.from: write an e-mail address."),
            ("mail: {server: 'smtp://a b:25', from: a@b.it}", "mail.server: write smtp://"),
            ("mail: {server: 'smtp://a:0', from: a@b.it}", "mail.server: write smtp://"),
            ("sms: {address: 'http://sms.example', token: a}", "sms.address: write an address"),
            ("sms: {address: 'https:///send', token: a}", "sms.address: write an address"),
            ("sms: {address: 'https://sms.example', token: 'a b'}", "sms.token: write a token"),
        ]
    )
    func refusedAtStart(text: String, expected: String) {
        #expect(told(text).hasPrefix("viavai.yaml, line 1: \(expected)"))
    }

    @Test("what cannot be used for messages is told in words for operators (issue 4)")
    func operators() {
        let line = OperatorText.line(for: NotifyFailure.badSetting("mail.from is no mail address"))
        #expect(line?.contains("mail.from is no mail address; `viavai config check`") == true)
        #expect(OperatorText.line(for: NotifyFailure.badKey) != nil)
        // The same holds for errors of the database.
        let busy = OperatorText.line(for: DatabaseFailure.busy)
        #expect(busy == "another program holds the database; try again")
        let newer = OperatorText.line(for: MigrationFailure.newerDatabase(migration: "9999-x"))
        #expect(newer?.contains("(it knows 9999-x)") == true)
    }

    @Test("every fault is told at once, with its line and what to do")
    func faults() {
        let text = """
            lisen: 127.0.0.1:80
            mail:
              server: relay.example
              from: nobody
            limits:
              body_bytes: many
            tls:
              key: k.pem
            log:
              level: loud
            """
        #expect {
            try settings(text)
        } throws: { error in
            let told = "\(error)"
            return told == """
                viavai.yaml, line 1: lisen is not a setting; did you mean listen?
                viavai.yaml, line 8: tls.key needs tls.certificate too.
                viavai.yaml, line 3: mail.server: write smtp://host:port.
                viavai.yaml, line 4: mail.from: write an e-mail address.
                viavai.yaml, line 6: limits.body_bytes: write a whole number from 1024 to \
                1073741824.
                viavai.yaml, line 10: log.level: write trace, debug, info, notice, warning, \
                error, critical.
                """
        }
    }

    @Test(
        "what is no mapping is refused with its line",
        arguments: ["- a\n- b", "just words", "a: [", "listen: {a: {b: {c: {d: e}}}}"]
    )
    func notYAML(text: String) {
        #expect(throws: SettingsFaults.self) { try settings(text) }
    }

    @Test("the telephone of the city's staff is one, or none (ui.md 4.4)")
    func phone() throws {
        #expect(try settings("").cityPhone == nil)
        #expect(try settings("city:\n  phone: +39 02 123456").cityPhone == "+39 02 123456")
        #expect(throws: SettingsFaults.self) { try settings("city:\n  phone: call us") }
    }

    @Test(
        "issue 29, fault 12: proxies are addresses or networks, and never everybody",
        arguments: [
            ("0.0.0.0/0", "a network of all addresses lets everybody claim any address"),
            ("::/0", "a network of all addresses lets everybody claim any address"),
            ("10.0.0.7, 0.0.0.0/0", "a network of all addresses"), ("proxy.example", "write"),
            ("10.0.0.1/8", "write addresses or networks, such as 10.0.0.7, 10.0.0.0/8"),
            ("10.0.0.0/33", "write"), ("10.0.0/8", "write"), ("fd00::/129", "write"),
            ("10.0.0.0/-1", "write"), ("10.0.0.0/", "write"), ("10.0.0.0/8/8", "write"),
        ]
    )
    func proxies(networks: String, expected: String) throws {
        let told = told("proxies:\n  trusted: '\(networks)'")
        #expect(told.hasPrefix("viavai.yaml, line 2: proxies.trusted: \(expected)"), "\(told)")
        let right = try settings("proxies: {trusted: '10.0.0.7, 192.168.0.0/16, fd00::/8, ::1'}")
        #expect(right.trustedProxies.count == 4)
    }

    @Test("a name given twice is refused")
    func twice() {
        #expect(throws: SettingsFaults.self) {
            try settings("listen: 127.0.0.1:1\nlisten: 127.0.0.1:2")
        }
    }

    @Test("an empty file and one of comments are fine", arguments: ["", "# nothing\n", "\n\n"])
    func empty(text: String) {
        #expect(throws: Never.self) { try settings(text) }
    }

    @Test("secrets are never shown")
    func secrets() throws {
        let settings = try settings(
            "mail: {server: 'smtp://a:1', from: a@b.example, user: u, password: hunter2}",
            environment: ["VIAVAI_DATABASE": "postgres://u:hunter3@h/d"]
        )
        let shown = settings.explained.map(\.value).joined()
        #expect(!shown.contains("hunter"))
        #expect(settings.mail?.password == "hunter2")
    }
}
