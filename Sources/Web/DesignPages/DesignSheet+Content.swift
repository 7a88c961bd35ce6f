import Localization
import Markup
import TaxiPages
import WebCore

extension DesignSheet {
    private func say(_ text: Text) -> HTML { "\(context.say(text))" }

    var lists: HTML {
        let rows = Rows([
            Row(
                .history,
                "Stazione Centrale",
                detail: "24 Nov · 08:46",
                value: "€8,40",
                address: Address("/design")
            ),
            Row(.home, say(DesignTexts.home), detail: "Via Dante 7", address: Address("/design")),
            Row(.card, say(DesignTexts.total), value: "€12,40"),
        ])
        let empty = EmptyState(
            .history,
            DesignTexts.noTrips,
            DesignTexts.noTripsText,
            action: Button(DesignTexts.order, .link(Address("/design")), icon: .taxi)
        )
        let dialog = Dialog(
            DesignTexts.askCancel,
            text: say(DesignTexts.askCancelText),
            actions: Button(DesignTexts.cancel, .link(Address("/design")), look: .destructive)
                .html(context) + Button(DesignTexts.keep, .link(Address("/design"))).html(context)
        )
        return """
            <div class="cards"><div>\(rows.html)</div>
            \(Card(say(DesignTexts.home), content: "<p>Via Dante 7</p>").html)
            <div class="card">\(empty.html(context))</div></div>
            \(dialog.html(context, level: 3))
            """
    }

    var notices: HTML {
        let notices = [
            Notice(.information, say(DesignTexts.informationText)),
            Notice(.success, title: DesignTexts.saved, say(DesignTexts.savedText)),
            Notice(.warning, say(DesignTexts.staleText)),
            Notice(.error, title: DesignTexts.errorTitle, say(DesignTexts.emailError)),
        ]
        return notices.map { $0.html(context) }.reduce(.empty, +)
            + Toast(.offline, DesignTexts.offlineText).html(context, isInPlace: true)
    }

    var figures: HTML {
        let steps = Steps(
            [
                DesignTexts.searching, DesignTexts.found, DesignTexts.arriving, DesignTexts.here,
                DesignTexts.done,
            ],
            current: 2
        )
        let tiles = [
            StatisticTile(
                DesignTexts.medianWait,
                "4",
                unit: "min",
                change: StateChip(DesignTexts.down, icon: .down, tone: .good)
            ),
            StatisticTile(
                DesignTexts.noCar,
                "3,1",
                unit: "%",
                change: StateChip(DesignTexts.upwards, icon: .up, tone: .bad)
            ),
            StatisticTile(
                DesignTexts.rides,
                "1 204",
                change: StateChip(DesignTexts.same, icon: .minus, tone: .quiet)
            ),
        ]
        return """
            <div class="cards"><div class="card">\(steps.html(context))
            \(HeroNumber(
                "4",
                unit: say(DesignTexts.minutes),
                label: say(DesignTexts.arrives)
            ).html)</div>
            <div class="card">\(HeroNumber("3", unit: "/ 7", label: say(DesignTexts.queue)).html)
            \(StateChip(DesignTexts.free, icon: .check, tone: .good).html(context))</div>
            <div class="card takeover-head">\(Ring(seconds: 18, of: 30).html(context))
            <div><b>\(say(DesignTexts.newRide))</b><br>\
            \(say(DesignTexts.newRideText))</div></div></div>
            \(StatisticTile.grid(tiles, context))
            """
    }

    var tables: HTML {
        let table = DataTable(
            caption: DesignTexts.waiting,
            [
                DataTable.Column(DesignTexts.zone, sorts: Address("/design")),
                DataTable.Column(
                    DesignTexts.waiting,
                    isNumber: true,
                    sorts: Address("/design"),
                    order: .descending
                ),
                DataTable.Column(DesignTexts.free, isNumber: true),
                DataTable.Column(DesignTexts.longest, isNumber: true),
            ],
            rows: [
                ["Centro", "4", "31", "6 min"], ["Brera", "2", "12", "3 min"],
                ["Navigli", "0", "7", "–"],
            ]
        )
        let hours = (0..<24).map { $0 < 10 ? "0\($0)" : "\($0)" }
        let values: [Double] = [
            3, 2, 2, 1, 1, 2, 4, 8, 11, 9, 6, 5, 6, 6, 5, 5, 6, 8, 9, 7, 6, 5, 4, 4,
        ]
        let lines = Chart(
            DesignTexts.waitByHour,
            unit: DesignTexts.inMinutes,
            names: hours,
            every: 4,
            [
                Chart.Series(DesignTexts.thisWeek, .line, values),
                Chart.Series(DesignTexts.weekBefore, .before, values.map { $0 * 0.7 + 2 }),
            ]
        )
        let bars = Chart(
            DesignTexts.requests,
            unit: DesignTexts.perHour,
            names: hours,
            every: 4,
            [
                Chart.Series(DesignTexts.requests, .bars, values.map { $0 * 9 }),
                Chart.Series(DesignTexts.servedAtOnce, .partOfBars, values.map { $0 * 7 }),
            ]
        )
        return """
            \(table.html(context))
            <div class="cards">\(lines.html(context))\(bars.html(context))</div>
            \(Pagination(before: Address("/design"), after: Address("/design"), DesignTexts.range)
                .html(context))
            """
    }

    var ride: HTML {
        let receipt = ReceiptCard(
            title: "Stazione Centrale",
            detail: "24 Nov · 08:46 · T00042",
            lines: [
                (DesignTexts.basePrice, "€3,40"), (DesignTexts.distance, "€4,10"),
                (DesignTexts.night, "€1,20"),
            ],
            total: (DesignTexts.total, "€8,70"),
            proof: "<p>\(context.say(DesignTexts.proof))</p>"
        )
        let story = Timeline([
            Timeline.Entry(
                "<time>08:41</time>",
                .phone,
                say(DesignTexts.ordered),
                detail: "Via Dante 7"
            ),
            Timeline.Entry("<time>08:42</time>", .close, say(DesignTexts.declined), tone: .live),
            Timeline.Entry("<time>08:42</time>", .check, say(DesignTexts.accepted), tone: .good),
            Timeline.Entry("<time>08:44</time>", .warning, say(DesignTexts.gone), tone: .bad),
        ])
        return """
            <div class="cards">\(rideCard)
            \(receipt.html(context))
            <div class="card">\(story.html)</div></div>
            """
    }

    /// How a passenger recognises the taxi.
    var rideCard: HTML {
        """
        <section class="card"><dl class="signs">
        <div><dt>\(say(DesignTexts.plate))</dt><dd>\(NumberPlate("AB 123 CD").html)</dd></div>
        <div><dt>\(say(DesignTexts.code))</dt><dd>\(RideCode("4821").html)</dd></div></dl>
        \(Row(.person, "Marco", detail: "Toyota Corolla · T00042").html)</section>
        """
    }

    var navigation: HTML {
        let steps = Breadcrumbs([
            (DesignTexts.console, Address("/design")), (DesignTexts.drivers, Address("/design")),
        ])
        return """
            \(steps.html(context))
            \(Segments(
                label: DesignTexts.navigation,
                [
                    (DesignTexts.trips, Address("/design"), true),
                    (DesignTexts.saved, Address("/design"), false),
                ]
            ).html(context))
            """
    }
}
