package import Chronology
import OpenData

/// A disruption as a JSON object, as described in `docs/answers.md`.
package struct DisruptionJSON: Encodable, Sendable {
    private let id: String
    private let kind: String
    private let text: String
    private let closed: Bool
    private let revoked: Bool
    private let spans: [Span]

    private struct Span: Encodable {
        let start: String
        let end: String
    }

    /// A disruption with its times on the clocks of a zone.
    package init(_ disruption: Disruption, _ zone: ZoneTable) {
        id = disruption.id
        kind = disruption.isStrike ? "strike" : "alert"
        text = disruption.text(in: zone)
        closed = disruption.isClosing
        revoked = disruption.isRevoked
        spans = disruption.spans.map { span in
            Span(start: span.lowerBound.iso8601(in: zone), end: span.upperBound.iso8601(in: zone))
        }
    }
}
