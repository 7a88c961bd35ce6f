/// What is wrong with the settings, and where.
package struct SettingsFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Problem: Hashable, Sendable {
        case notReadable
        case notYAML
        case notAMapping
        case givenTwice
        /// With the known name that is most alike.
        case unknownName(nearest: String?)
        /// With what is expected.
        case badValue(expected: String)
        /// With the other setting that is missing.
        case needs(String)
        /// The address is open to others and there is no certificate.
        case needsTLS
        /// No link can lead to the address at which it listens.
        case needsPublicAddress
        /// Every address is named as one of a proxy.
        case believesEverybody
        /// Data and keys lie together; with the other setting.
        case notApart(String)
    }

    /// The file, or the name of the environment variable or option.
    package var file: String
    /// The line, counted from 1.
    package var line: Int?
    /// The setting.
    package var name: String?
    /// What is wrong.
    package var problem: Problem

    init(file: String, line: Int? = nil, name: String? = nil, problem: Problem) {
        self.file = file
        self.line = line
        self.name = name
        self.problem = problem
    }

    /// One line for the operator, with what to do.
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
        case .notApart(let other):
            return "\(subject) and \(other) lie together: whoever copies the data has the keys "
                + "too, and nobody can be erased from old copies; name a place of its own, and "
                + "move there what is in the old one."
        }
    }
}
