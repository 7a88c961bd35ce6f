import Foundation

/// Argon2id hashes of passwords (RFC 9106) as PHC strings: `$argon2id$v=19$m=…,t=…,p=1$salt$tag`.
///
/// They block their thread for a fiftieth of a second; only ``PasswordWorkers`` calls them.
enum PasswordHash {
    /// How much work a hash is.
    struct Parameters: Equatable, Sendable {
        /// Passes over the memory.
        var passes: UInt32
        /// The memory, in KiB.
        var kibibytes: UInt32

        /// OWASP's first choice for Argon2id: 19 MiB and two passes, in one lane.
        static let usual = Parameters(passes: 2, kibibytes: 19 * 1_024)
        /// The least that there is: for tests that are not about passwords.
        static let least = Parameters(passes: 1, kibibytes: 8)

        private static let mostPasses: UInt32 = 10

        /// Whether it is work that anybody would ask for: a damaged hash must hold nobody up.
        fileprivate var isSane: Bool {
            (Self.least.passes...Self.mostPasses).contains(passes)
                && (Self.least.kibibytes...HashMemory.kibibytes).contains(kibibytes)
        }
    }

    /// Hashes a password under a new salt; nil where the work is less or more than can be.
    static func make(
        _ password: String,
        _ parameters: Parameters,
        in memory: HashMemory
    ) -> String? {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<Record.saltBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
        return memory.tag(of: bytes(of: password), salt: salt, parameters)
            .map { Record(parameters: parameters, salt: salt, tag: $0).text }
    }

    /// Whether a password is the one that was hashed; takes the same time if it is not.
    ///
    /// What is no such hash, or more work than is sane, fits nothing and costs nothing.
    static func verify(_ password: String, _ hash: String, in memory: HashMemory) -> Bool {
        guard let record = Record(hash),
            let tag = memory.tag(of: bytes(of: password), salt: record.salt, record.parameters)
        else { return false }
        // Constant time: all bytes are looked at.
        return zip(tag, record.tag).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether a hash was made with less or other work than is asked for today.
    static func isOutdated(_ hash: String, _ parameters: Parameters) -> Bool {
        Record(hash)?.parameters != parameters
    }

    private static func bytes(of password: String) -> [UInt8] {
        Array(password.composed.utf8)
    }
}

/// What a PHC string says.
private struct Record {
    static let saltBytes = 16
    /// More than the longest with sane work, which has 98.
    private static let mostBytes = 128

    var parameters: PasswordHash.Parameters
    var salt: [UInt8]
    var tag: [UInt8]

    /// The string that says it; base64 goes without padding there.
    var text: String {
        let work = "m=\(parameters.kibibytes),t=\(parameters.passes),p=1"
        let ends = [salt, tag].map { Data($0).base64EncodedString().prefix { $0 != "=" } }
        return "$argon2id$v=19$\(work)$\(ends[0])$\(ends[1])"
    }
}

extension Record {
    /// Reads a string; nil where it is not exactly one that could have been made here.
    init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        let numbers = parts[3].split(separator: ",").map { UInt32($0.dropFirst("m=".count)) }
        guard numbers.count == 3, let kibibytes = numbers[0], let passes = numbers[1],
            let salt = Data(base64Encoded: "\(parts[4])=="),
            let tag = Data(base64Encoded: "\(parts[5])=")
        else { return nil }
        parameters = PasswordHash.Parameters(passes: passes, kibibytes: kibibytes)
        self.salt = Array(salt)
        self.tag = Array(tag)
        // Written again it must be the same: names, version, lanes and all that was skipped.
        guard parameters.isSane, salt.count == Self.saltBytes, tag.count == HashMemory.tagBytes,
            self.text == text
        else { return nil }
    }
}
