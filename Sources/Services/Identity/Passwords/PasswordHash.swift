import Encoding
import Foundation

/// Argon2id hashes of passwords (RFC 9106) as PHC strings: `$argon2id$v=19$m=…,t=…,p=1$salt$tag`.
///
/// Computing one blocks its thread for 20 ms, so only ``PasswordWorkers`` does it.
enum PasswordHash {
    /// The cost parameters of a hash.
    struct Parameters: Equatable, Sendable {
        /// The number of passes over the memory.
        var passes: UInt32
        /// The memory in KiB.
        var kibibytes: UInt32

        /// OWASP's first choice for Argon2id: 19 MiB and two passes, in one lane.
        static let usual = Parameters(passes: 2, kibibytes: 19 * 1_024)
        /// The lowest possible cost, for tests that are not about passwords.
        static let least = Parameters(passes: 1, kibibytes: 8)

        private static let mostPasses: UInt32 = 10

        /// Whether the cost is plausible, so that a damaged hash cannot block a worker.
        fileprivate var isSane: Bool {
            (Self.least.passes...Self.mostPasses).contains(passes)
                && (Self.least.kibibytes...HashMemory.kibibytes).contains(kibibytes)
        }
    }

    /// Hashes a password with a new salt; nil if the cost is out of range.
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

    /// Returns whether a password matches a hash, in the same time for either result.
    ///
    /// A malformed hash, or one of implausible cost, matches nothing and is rejected without work.
    static func verify(_ password: String, _ hash: String, in memory: HashMemory) -> Bool {
        guard let record = Record(hash),
            let tag = memory.tag(of: bytes(of: password), salt: record.salt, record.parameters)
        else { return false }
        // Compares in constant time by looking at all bytes.
        return zip(tag, record.tag).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns whether a hash was made with other cost parameters than those required today.
    static func isOutdated(_ hash: String, _ parameters: Parameters) -> Bool {
        Record(hash)?.parameters != parameters
    }

    private static func bytes(of password: String) -> [UInt8] {
        Array(password.composed.utf8)
    }
}

/// The parsed fields of a PHC string.
private struct Record {
    static let saltBytes = 16
    /// More than the longest string of plausible cost, which has 98 bytes.
    private static let mostBytes = 128

    var parameters: PasswordHash.Parameters
    var salt: [UInt8]
    var tag: [UInt8]

    /// The PHC string, whose Base64 parts have no padding.
    var text: String {
        let work = "m=\(parameters.kibibytes),t=\(parameters.passes),p=1"
        let ends = [salt, tag].map(Base64.encodedWithoutPadding)
        return "$argon2id$v=19$\(work)$\(ends[0])$\(ends[1])"
    }
}

extension Record {
    /// Parses a string; nil unless it is exactly one that this type could have produced.
    init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        let numbers = parts[3].split(separator: ",").map { UInt32($0.dropFirst("m=".count)) }
        guard numbers.count == 3, let kibibytes = numbers[0], let passes = numbers[1],
            let salt = Base64.decoded(parts[4]), let tag = Base64.decoded(parts[5])
        else { return nil }
        parameters = PasswordHash.Parameters(passes: passes, kibibytes: kibibytes)
        self.salt = salt
        self.tag = tag
        // Formatting it again must give the same text, which checks name, version,
        // lanes and all else.
        guard parameters.isSane, salt.count == Self.saltBytes, tag.count == HashMemory.tagBytes,
            self.text == text
        else { return nil }
    }
}
