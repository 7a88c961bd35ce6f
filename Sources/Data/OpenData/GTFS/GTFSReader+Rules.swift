import Encoding

extension GTFSReader {
    mutating func readTransfers() throws(GTFSFailure) {
        guard var table = try table("transfers.txt") else { return }
        let from = table.column("from_stop_id")
        let to = table.column("to_stop_id")
        let type = table.column("transfer_type")
        let seconds = table.column("min_transfer_time")
        let fromRoute = table.column("from_route_id")
        let toRoute = table.column("to_route_id")
        let fromTrip = table.column("from_trip_id")
        let toTrip = table.column("to_trip_id")
        while table.next(&log) {
            let code = table.optionalNumber(type, "transfer_type", in: 0...5, &log) ?? 0
            guard let kind = TransferKind(rawValue: UInt8(code)) else { continue }
            let bindsTrips = kind == .inSeat || kind == .notInSeat
            var transfer = GTFSFeed.Transfer(
                from: nil,
                to: nil,
                fromRoute: nil,
                toRoute: nil,
                fromTrip: nil,
                toTrip: nil,
                kind: kind,
                seconds: table.optionalNumber(
                    seconds,
                    "min_transfer_time",
                    in: 0...86_400,
                    &log
                ),
                line: table.rows.line
            )
            if !bindsTrips || !table.rows.isEmpty(from) {
                transfer.from = table.reference(from, "from_stop_id", in: stopNumbers, &log)
                guard transfer.from != nil else { continue }
            }
            if !bindsTrips || !table.rows.isEmpty(to) {
                transfer.to = table.reference(to, "to_stop_id", in: stopNumbers, &log)
                guard transfer.to != nil else { continue }
            }
            // A rule for a route or trip that is not there must not become a rule for all.
            guard
                Self.chosen(
                    table,
                    fromRoute,
                    "from_route_id",
                    routeNumbers,
                    &log,
                    &transfer.fromRoute
                ),
                Self.chosen(table, toRoute, "to_route_id", routeNumbers, &log, &transfer.toRoute),
                Self.chosen(table, fromTrip, "from_trip_id", tripNumbers, &log, &transfer.fromTrip),
                Self.chosen(table, toTrip, "to_trip_id", tripNumbers, &log, &transfer.toTrip)
            else { continue }
            if bindsTrips, transfer.fromTrip == nil || transfer.toTrip == nil {
                table.note("from_trip_id", .missingValue, &log)
                continue
            }
            feed.transfers.append(transfer)
        }
    }

    /// Fills a choice that a rule may make; false if it names nothing that exists.
    private static func chosen(
        _ table: GTFSTable,
        _ column: Int?,
        _ field: String,
        _ numbers: IdentifierTable,
        _ log: inout DiagnosticLog,
        _ choice: inout Int?
    ) -> Bool {
        guard !table.rows.isEmpty(column) else { return true }
        choice = table.reference(column, field, in: numbers, &log)
        return choice != nil
    }

    mutating func readTranslations() throws(GTFSFailure) {
        guard var table = try table("translations.txt") else { return }
        // Feeds from before 2019 have other columns here, whose meaning is not in the reference.
        guard let name = table.column("table_name"), let field = table.column("field_name"),
            let language = table.column("language"), let text = table.column("translation")
        else { return }
        let record = table.column("record_id")
        let value = table.column("field_value")
        while table.next(&log) {
            guard !table.rows.isEmpty(language), !table.rows.isEmpty(field) else {
                table.note("language", .missingValue, &log)
                continue
            }
            feed.translations.append(
                GTFSFeed.Translation(
                    table: table.rows.text(name),
                    field: table.rows.text(field),
                    language: table.rows.text(language),
                    text: table.rows.text(text),
                    record: table.rows.text(record),
                    value: table.rows.text(value)
                )
            )
        }
    }

    mutating func readInfo() throws(GTFSFailure) {
        guard var table = try table("feed_info.txt") else { return }
        let publisher = table.column("feed_publisher_name")
        let url = table.column("feed_publisher_url")
        let language = table.column("feed_lang")
        let version = table.column("feed_version")
        guard table.next(&log) else { return }
        feed.info = GTFSFeed.Info(
            publisher: table.rows.text(publisher),
            url: table.rows.text(url),
            language: table.rows.text(language),
            version: table.rows.text(version)
        )
    }
}
