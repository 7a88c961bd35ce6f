import Foundation
package import Testing

/// How many random instances a property test tries.
///
/// `make test` tries the normal number, `make test-everything` (`VIAVAI_EVERYTHING=1`) far more. A
/// debug build, which is 20 to 50 times slower, tries a twentieth, since its purpose is the checks
/// that a release build omits.
package enum Effort: Sendable {
    /// The effort of `make test`, on every change.
    case normal
    /// The effort of `make test-everything`, before work counts as done.
    case everything

    /// The effort that the environment asks for.
    package static let current: Effort =
        ProcessInfo.processInfo.environment["VIAVAI_EVERYTHING"] == "1" ? .everything : .normal

    /// Whether this is a release build; tests on whole cities take too long in a debug build.
    package static var isRelease: Bool {
        #if DEBUG
        return false
        #else
        return true
        #endif
    }

    /// The reason for skipping a test that only a release build runs.
    package static let releaseAdvice: Comment =
        "a debug build, 20 to 50 times slower, leaves whole cities to the release build"

    /// The reason for skipping a test that only `make test-everything` runs.
    package static let everythingAdvice: Comment =
        "left to make test-everything (VIAVAI_EVERYTHING=1)"

    /// Whether tests may take minutes and gigabytes for one city.
    package static var isMetropolitan: Bool { current == .everything && isRelease }

    /// The reason for skipping a test of a metropolis.
    package static let metropolisAdvice: Comment =
        "a metropolis is left to the release build of make test-everything (VIAVAI_EVERYTHING=1)"

    /// How many instances to try.
    ///
    /// - Parameters:
    ///   - normal: the number for `make test`.
    ///   - everything: the number for `make test-everything`; by default ten times as many.
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
