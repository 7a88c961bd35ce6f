package import Chronology

/// The alerts of a GTFS Realtime feed.
package struct ServiceAlerts: Sendable {
    /// When the feed was made; nil if it does not say so.
    package let made: Instant?
    /// The alerts in the order of the feed.
    package let alerts: [ServiceAlert]
    /// How many entities are something else: trip updates or positions of vehicles.
    package let otherCount: Int

    private static let file = "gtfs-realtime"
    /// How many alerts a feed may have, and how many parts of the service one may be about.
    private static let alertLimit = 50_000
    private static let entityLimit = 20_000

    /// Reads a `FeedMessage`.
    ///
    /// - Throws: where the bytes are no such message, or of an unknown version.
    package init(_ bytes: [UInt8]) throws(FeedFailure) {
        guard bytes.count <= FeedFields.sizeLimit else {
            throw FeedFailure(
                file: Self.file,
                field: "",
                problem: .tooLarge(limit: FeedFields.sizeLimit)
            )
        }
        var draft = Draft()
        do {
            try draft.read(ProtobufReader(bytes, message: "FeedMessage"))
        } catch {
            throw FeedFailure(
                file: Self.file,
                field: error.field == 0 ? error.message : "\(error.message) field \(error.field)",
                problem: error.problem == .missing ? .missing : .notProtobuf(offset: error.offset)
            )
        }
        guard let version = draft.version else {
            throw FeedFailure(file: Self.file, field: "header", problem: .missing)
        }
        guard version.hasPrefix("1.") || version.hasPrefix("2.") else {
            throw FeedFailure(
                file: Self.file,
                field: "header.gtfs_realtime_version",
                problem: .unsupportedVersion(version)
            )
        }
        guard draft.alerts.count < Self.alertLimit else {
            throw FeedFailure(
                file: Self.file,
                field: "entity",
                problem: .tooMany(limit: Self.alertLimit)
            )
        }
        made = draft.made
        alerts = draft.alerts
        otherCount = draft.otherCount
    }

    /// What has been read of a feed.
    private struct Draft {
        var version: String?
        var made: Instant?
        var alerts: [ServiceAlert] = []
        var otherCount = 0

        mutating func read(_ message: ProtobufReader) throws(ProtobufFailure) {
            var reader = message
            while let field = try reader.next() {
                switch field {
                case 1: try readHeader(reader.message("FeedHeader"))
                case 2:
                    guard alerts.count < ServiceAlerts.alertLimit else { return }
                    try readEntity(reader.message("FeedEntity"))
                default: try reader.skip()
                }
            }
        }

        private mutating func readHeader(_ message: ProtobufReader) throws(ProtobufFailure) {
            var reader = message
            while let field = try reader.next() {
                switch field {
                case 1: version = try reader.text()
                case 3: made = ServiceAlerts.instant(try reader.varint())
                default: try reader.skip()
                }
            }
        }

        private mutating func readEntity(_ message: ProtobufReader) throws(ProtobufFailure) {
            var reader = message
            var id = ""
            var isDeleted = false
            var alert: ProtobufReader?
            while let field = try reader.next() {
                switch field {
                case 1: id = try reader.text()
                case 2: isDeleted = try reader.varint() != 0
                case 5: alert = try reader.message("Alert")
                default: try reader.skip()
                }
            }
            if let alert, !isDeleted {
                alerts.append(try ServiceAlert(id: id, alert))
            } else if alert == nil {
                otherCount += 1
            }
        }
    }

    /// A time in seconds since 1970; nil for 0 and for what is no time.
    fileprivate static func instant(_ seconds: UInt64) -> Instant? {
        let seconds = Int64(clamping: seconds)
        return FeedTime.range.contains(seconds) ? Instant(seconds: seconds) : nil
    }

    /// Whether an alert may be about one more part of the service.
    fileprivate static func hasRoom(_ count: Int) -> Bool { count < entityLimit }
}

extension ServiceAlert {
    fileprivate init(id: String, _ message: ProtobufReader) throws(ProtobufFailure) {
        var reader = message
        var periods: [SharingSystem.Span] = []
        var entities: [Entity] = []
        var cause = Cause.unknown
        var effect = Effect.unknown
        var severity = Severity.unknown
        var header = LocalizedText([])
        var details = LocalizedText([])
        var url = LocalizedText([])
        while let field = try reader.next() {
            switch field {
            case 1: periods.append(try Self.period(reader.message("TimeRange")))
            case 5:
                let entity = try Self.entity(reader.message("EntitySelector"))
                if ServiceAlerts.hasRoom(entities.count) { entities.append(entity) }
            // A number that a later version of the format adds is unknown, as the format asks for.
            case 6: cause = Cause(rawValue: try reader.varint()) ?? .unknown
            case 7: effect = Effect(rawValue: try reader.varint()) ?? .unknown
            case 8: url = try Self.text(reader.message("TranslatedString"))
            case 10: header = try Self.text(reader.message("TranslatedString"))
            case 11: details = try Self.text(reader.message("TranslatedString"))
            case 14: severity = Severity(rawValue: try reader.varint()) ?? .unknown
            default: try reader.skip()
            }
        }
        self.id = id
        self.periods = periods
        self.entities = entities
        self.cause = cause
        self.effect = effect
        self.severity = severity
        self.header = header
        self.details = details
        self.url = url
    }

    private static func period(
        _ message: ProtobufReader
    ) throws(ProtobufFailure) -> SharingSystem.Span {
        var reader = message
        var start: Instant?
        var end: Instant?
        while let field = try reader.next() {
            switch field {
            case 1: start = ServiceAlerts.instant(try reader.varint())
            case 2: end = ServiceAlerts.instant(try reader.varint())
            default: try reader.skip()
            }
        }
        return SharingSystem.Span(start: start, end: end)
    }

    private static func entity(_ message: ProtobufReader) throws(ProtobufFailure) -> Entity {
        var reader = message
        var entity = Entity()
        while let field = try reader.next() {
            switch field {
            case 1: entity.agencyID = try reader.text()
            case 2: entity.routeID = try reader.text()
            case 3: entity.routeType = Int32(truncatingIfNeeded: try reader.integer())
            case 4:
                var trip = try reader.message("TripDescriptor")
                while let field = try trip.next() {
                    switch field {
                    case 1: entity.tripID = try trip.text()
                    case 3: entity.tripDate = try trip.text()
                    case 5: entity.routeID = try trip.text()
                    case 6: entity.direction = UInt32(truncatingIfNeeded: try trip.varint())
                    default: try trip.skip()
                    }
                }
            case 5: entity.stopID = try reader.text()
            case 6: entity.direction = UInt32(truncatingIfNeeded: try reader.varint())
            default: try reader.skip()
            }
        }
        return entity
    }

    private static func text(_ message: ProtobufReader) throws(ProtobufFailure) -> LocalizedText {
        var reader = message
        var variants: [LocalizedText.Variant] = []
        while let field = try reader.next() {
            guard field == 1 else {
                try reader.skip()
                continue
            }
            var translation = try reader.message("Translation")
            var text = ""
            var language = ""
            while let field = try translation.next() {
                switch field {
                case 1: text = try translation.text()
                case 2: language = try translation.text()
                default: try translation.skip()
                }
            }
            variants.append(LocalizedText.Variant(language: language, text: text))
        }
        return LocalizedText(variants)
    }
}
