/// The available settings: their names, meanings and default values.
enum SettingName: String, CaseIterable, Sendable {
    case cityFile = "city.file"
    case cityName = "city.name"
    case timeZone = "city.time_zone"
    case cityPhone = "city.phone"
    case coverage
    case calendarRules = "calendar.rules"
    case delays
    case database
    case keyDatabase = "keys.database"
    case secret = "keys.secret"
    case listen
    case publicAddress = "public.address"
    case certificate = "tls.certificate"
    case privateKey = "tls.key"
    case plain = "http.plain"
    case plainListen = "http.listen"
    case trustedProxies = "proxies.trusted"
    case mailServer = "mail.server"
    case mailUser = "mail.user"
    case mailPassword = "mail.password"
    case mailFrom = "mail.from"
    case smsAddress = "sms.address"
    case smsToken = "sms.token"
    case bodyLimit = "limits.body_bytes"
    case requestRate = "limits.requests_per_second"
    case accountRequestRate = "limits.requests_per_second_of_account"
    case requestBurst = "limits.requests_at_once"
    case connections = "limits.connections"
    case logLevel = "log.level"
    case logLevels = "log.levels"
    case leaflet = "leaflet.folder"
    case backups = "backups.folder"
    case keyBackups = "backups.keys_folder"
    case keptBackups = "backups.keep"
    case feedFolder = "feeds.folder"
    case feedReach = "feeds.reach"
    case sandboxFolder = "sandbox.folder"
    case webhookReach = "webhooks.reach"
    case webhookDays = "webhooks.keep_days"

    /// The environment variable that overrides the setting.
    var variable: String { Self.variable(of: rawValue) }

    /// The environment variable that overrides a setting of this name.
    static func variable(of name: String) -> String {
        "VIAVAI_" + name.uppercased().map { ".-".contains($0) ? "_" : String($0) }.joined()
    }

    /// Whether the value must not be shown.
    var isSecret: Bool {
        switch self {
        case .mailPassword, .smsToken: true
        // A PostgreSQL URL may contain a password.
        case .database, .keyDatabase: true
        default: false
        }
    }

    /// The default value; nil if there is none.
    var standard: String? {
        switch self {
        case .cityName: "Viavai"
        case .timeZone: "Europe/Rome"
        case .calendarRules: "usual"
        case .database: "sqlite:viavai.sqlite"
        case .keyDatabase: "sqlite:viavai-keys.sqlite"
        case .secret: "viavai.secret"
        case .listen: "127.0.0.1:8080"
        case .plain: "off"
        case .plainListen: "0.0.0.0:80"
        case .bodyLimit: "1048576"
        case .requestRate, .accountRequestRate: "50"
        case .requestBurst: "200"
        case .connections: "10000"
        case .logLevel: "info"
        case .leaflet: "/usr/share/javascript/leaflet"
        case .backups: "backups"
        case .keyBackups: "backups-keys"
        case .keptBackups, .webhookDays: "30"
        case .feedFolder: "feeds"
        case .feedReach, .webhookReach: "public"
        default: nil
        }
    }

    /// A one-sentence description for the server's administrator.
    var meaning: String {
        switch self {
        case .cityFile: "City files of `viavai city import`, with commas; taxis drive in the first."
        case .cityName: "What the service is called on its pages."
        case .timeZone: "The city's time zone, by its IANA name."
        case .cityPhone: "The telephone of the city's staff, for whoever has trouble with a ride."
        case .coverage: "Where appointments may be: a GeoJSON file with coverage and prohibited."
        case .calendarRules: "Which entries of a calendar may overlap: usual, s2, s3 or s4."
        case .delays: "Delays of the past: a folder or archive with OpenTripPlanner's two files."
        case .database: "sqlite:FILE, or postgres://user:password@host:port/name."
        case .keyDatabase: "The keys of people's data, kept and backed up apart from it."
        case .secret: "The file with the secret that the keys are wrapped in; back it up apart."
        case .listen: "Host and port on which it listens; [::1]:8080 for IPv6."
        case .publicAddress: "The address in mails and links, as people reach the service."
        case .certificate: "The certificate chain, PEM; read again when it changes."
        case .privateKey: "The certificate's private key, PEM."
        case .plain:
            "Requests without encryption: off, refuse, redirect, or policy for the city's rule."
        case .plainListen: "Host and port for that, unless http.plain is off."
        case .trustedProxies: "Addresses or networks of proxies whose X-Forwarded-For is believed."
        case .mailServer: "The relay for mail, smtp://host:port; encrypted by STARTTLS."
        case .mailUser: "The user at the relay."
        case .mailPassword: "The password at the relay."
        case .mailFrom: "The address from which mail comes."
        case .smsAddress: "The address of the gateway for text messages."
        case .smsToken: "The gateway's token."
        case .bodyLimit:
            "How many bytes a request's body may have; uploads have a limit of their own."
        case .requestRate: "How many requests a second one address may send, on average."
        case .accountRequestRate:
            "How many requests a second one account may send, from all its addresses."
        case .requestBurst: "How many requests one address or account may send at once."
        case .connections:
            "How many connections there may be at once, where the system allows that many."
        case .logLevel: "trace, debug, info, notice, warning, error or critical."
        case .logLevels: "Other levels for parts: mail=debug, web=warning."
        case .leaflet: "The folder of Debian's libjs-leaflet; without it maps are still pictures."
        case .backups: "The folder for backups of the city's data; copy it to another place."
        case .keyBackups: "The folder for backups of the keys; copy it to a place of its own."
        case .keptBackups: "How many backups are kept; the oldest beyond them are removed."
        case .feedFolder: "The folder for the last good copies of live feeds."
        case .feedReach:
            "Where feeds that staff add may lead: public or any; any includes private networks."
        case .sandboxFolder:
            "The folder of a sandbox, in which developers try the API; without it there is none."
        case .webhookReach:
            "Where webhooks may lead: public, or any, which includes private networks and http."
        case .webhookDays: "How many days messages to applications are kept and can be seen."
        }
    }
}
