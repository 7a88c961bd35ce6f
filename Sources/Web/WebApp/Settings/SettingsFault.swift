/// A fault in the settings, with its location.
package struct SettingsFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults in settings.
    package enum Problem: Hashable, Sendable {
        case notReadable
        case notYAML
        case notAMapping
        case givenTwice
        /// The name is unknown; with the most similar known name.
        case unknownName(nearest: String?)
        /// The value is invalid; with a description of valid values.
        case badValue(expected: String)
        /// Another setting is missing; with its name.
        case needs(String)
        /// The address is reachable from other machines, but there is no certificate.
        case needsTLS
        /// No link can lead to the address on which the server listens.
        case needsPublicAddress
        /// Every address is listed as a trusted proxy.
        case believesEverybody
        /// A file that it names cannot be used; with what is wrong with it.
        case unusable(String)
        /// Data and keys share a location; with the name of the other setting.
        case notApart(String)
    }

    /// The name of the file, environment variable or option.
    package var file: String
    /// The line number, starting at 1.
    package var line: Int?
    /// The name of the setting.
    package var name: String?
    /// The kind of fault that was found.
    package var problem: Problem

    init(file: String, line: Int? = nil, name: String? = nil, problem: Problem) {
        self.file = file
        self.line = line
        self.name = name
        self.problem = problem
    }

    /// A one-line message for the server's administrator, with the remedy.
    package var description: String {
        let place = line.map { "\(file), line \($0)" } ?? file
        let subject = name.map { "\(place): \($0)" } ?? place
        switch problem {
        case .notReadable: return "\(subject): cannot be read; is the path right?"
        case .notYAML: return "\(subject): is not YAML; write lines of `name: value`."
        case .notAMapping: return "\(subject): write lines of `name: value`."
        case .givenTwice: return "\(subject) is given twice; leave one."
        case .unknownName(let nearest):
            let hint = nearest.map { "did you mean \($0)?" }
            return "\(subject) is not a setting; "
                + (hint ?? "`viavai config check` lists them all.")
        case .badValue(let expected): return "\(subject): write \(expected)."
        case .needs(let other): return "\(subject) needs \(other) too."
        case .needsTLS:
            return "\(subject): an address other than loopback needs TLS: set tls.certificate and "
                + "tls.key, or listen on 127.0.0.1."
        case .needsPublicAddress:
            return "\(subject): links in messages cannot lead to this address: set public.address "
                + "to the one that people open, such as https://taxi.example.org."
        case .believesEverybody:
            return "\(subject): a network of all addresses lets everybody claim any address, and "
                + "so evade every limit; name the addresses or networks of your proxies only."
        case .unusable(let reason): return "\(subject): \(reason)."
        case .notApart(let other):
            return "\(subject) and \(other) lie together: whoever copies the data has the keys "
                + "too, and nobody can be erased from old copies; name a place of its own, and "
                + "move there what is in the old one."
        }
    }
}
