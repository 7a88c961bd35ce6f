import Foundation
package import Testing

/// How many random instances a property test tries.
///
/// `make test` tries the normal number, `make test-everything` (`VIAVAI_EVERYTHING=1`) far more;
/// a debug build, 20 to 50 times slower, a twentieth, since its task is the checks that a release
/// build leaves out.
package enum Effort: Sendable {
    /// What runs on every change.
    case normal
    /// What runs before work is called done.
    case everything

    /// The effort that was asked for.
    package static let current: Effort =
        ProcessInfo.processInfo.environment["VIAVAI_EVERYTHING"] == "1" ? .everything : .normal

    /// Whether this is a release build: what handles whole cities takes too long in a debug build.
    package static var isRelease: Bool {
        #if DEBUG
        return false
        #else
        return true
        #endif
    }

    /// What a test says that only a release build runs.
    package static let releaseAdvice: Comment =
        "a debug build, 20 to 50 times slower, leaves whole cities to the release build"

    /// What a test says that only `make test-everything` runs.
    package static let everythingAdvice: Comment =
        "left to make test-everything (VIAVAI_EVERYTHING=1)"

    /// Whether tests may take minutes and gigabytes for one city.
    package static var isMetropolitan: Bool { current == .everything && isRelease }

    /// What a test of a metropolis says where it is skipped.
    package static let metropolisAdvice: Comment =
        "a metropolis is left to the release build of make test-everything (VIAVAI_EVERYTHING=1)"

    /// How many instances to try where `normal` is right for every change.
    ///
    /// - Parameters:
    ///   - normal: the number on every change.
    ///   - everything: the number for the long door; by default ten times as many.
    /// - Returns: at least 1.
    package static func instances(_ normal: Int, everything: Int? = nil) -> Int {
        let wanted = current == .everything ? everything ?? normal * 10 : normal
        #if DEBUG
        return max(1, wanted / 20)
        #else
        return max(1, wanted)
        #endif
    }
}
