import Localization
import Markup
import TaxiPages
import WebCore

/// Trips and days: what the trip planner and the calendar show, with samples in it.
///
/// Their modules draw real trips and plans only, so the samples repeat their markup.
extension DesignSheet {
    private func say(_ text: Text) -> HTML { "\(context.say(text))" }

    /// A trip by public transport as a bar: walking, a bus, a wait, the metro, walking.
    private var bar: HTML {
        """
        <span class="bar" aria-hidden="true">\
        <i class="walking w2" data-label="5">\(Icon.walking.html)</i>\
        <i class="bus w4" data-label="58">\(Icon.bus.html)</i><i class="wait w1"></i>\
        <i class="metro w4" data-label="M1">\(Icon.metro.html)</i>\
        <i class="walking w2" data-label="3">\(Icon.walking.html)</i></span>
        """
    }

    // MARK: Trips

    /// The ways to choose from, one of them step by step, and the lines' capsules.
    var trips: HTML {
        let ways: [(icon: Icon, minutes: String, name: Text)] = [
            (.walking, "52", DesignTexts.onFoot), (.bicycle, "18", DesignTexts.ownBicycle),
            (.car, "14", DesignTexts.ownCar), (.taxi, "12", DesignTexts.taxi),
        ]
        let tiles = ways.map { way -> HTML in
            """
            <li><a href="/design"><b>\(way.icon.html) \(way.minutes) min</b> \
            <small>\(say(way.name))</small></a></li>
            """
        }
        let fastest = StateChip(DesignTexts.fastest, icon: .check, tone: .good)
        let lines: [(style: HTML, icon: Icon, name: String)] = [
            ("bus", .bus, "58"), ("tram", .tram, "14"), ("metro", .metro, "M1"),
            ("train", .train, "S6"), ("ferry", .ferry, "F2"),
        ]
        let capsules = lines.map { line -> HTML in
            """
            <li><span class="capsule \(line.style)">\(line.icon.html) \
            <b>\(line.name)</b></span></li>
            """
        }
        return """
            <div class="cards"><div class="card"><ul class="ways">\(tiles)</ul>
            <ol class="options"><li><a class="option" href="/design">\
            <span><b>\(say(DesignTexts.leaveAndArrive))</b> <b>36 min</b></span> \(bar) \
            <span class="with"><small>\(say(DesignTexts.tripFacts))</small> \
            <span>\(fastest.html(context))</span></span></a></li></ol></div>
            <div class="card"><ol class="steps">
            \(step("08:42", "Via Dante", "walking", "<p>\(say(DesignTexts.walkStep))</p>"))
            \(step("08:48", "Cairoli", "bus", rideStep))
            <li><time>09:18</time> <span class="stop"></span> \
            <span class="place">Duomo</span></li></ol>
            <ul class="marks">\(capsules)</ul></div></div>
            """
    }

    private var rideStep: HTML {
        """
        <p><span class="capsule bus">\(Icon.bus.html) <b>58</b></span> \
        \(say(DesignTexts.towards))</p>\
        <details><summary>\(say(DesignTexts.stopsPassed))</summary>\
        <ol class="passed"><li><time>08:55</time> Cordusio</li></ol></details>
        """
    }

    private func step(_ time: String, _ place: String, _ style: HTML, _ how: HTML) -> HTML {
        """
        <li><time>\(time)</time> <span class="stop"></span> <span class="place">\(place)</span>\
        <span class="track \(style)" aria-hidden="true"></span><div class="how">\(how)</div></li>
        """
    }

    // MARK: The calendar

    /// A day with a journey, a week and a month.
    var calendar: HTML {
        let late: HTML = """
            <p class="warning">\(Icon.warning.html) <span>\(say(DesignTexts.tooLate))</span></p>
            """
        return """
            <div class="cards"><div class="card"><ol class="day-plan">
            <li class="way-to"><a href="/design"><span class="when">\
            <b>\(say(DesignTexts.leaveAt))</b> <span>\(say(DesignTexts.arriveAt))</span></span> \
            \(bar)</a></li>
            \(event("meeting", "09:30 – 10:30", DesignTexts.review, at: "Via Torino 3"))
            <li class="gap">\(say(DesignTexts.freeTime))</li>
            \(event("errand wrong", "11:40 – 12:00", DesignTexts.shopping, more: late))</ol></div>
            <div class="card">\(month)</div></div>
            \(week)
            """
    }

    private func event(
        _ style: HTML,
        _ when: String,
        _ title: Text,
        at place: String? = nil,
        more: HTML? = nil
    ) -> HTML {
        let at = place.map { place -> HTML in
            "<p class=\"at\">\(Icon.pin.html) <span>\(place)</span></p>"
        }
        return """
            <li><article class="event \(style)"><p class="when">\(when)</p>\
            <h3><a href="/design">\(say(title))</a></h3>\(at)\(more)</article></li>
            """
    }

    /// Three days of a week, from eight to eleven.
    private var week: HTML {
        let blocks: [[HTML]] = [
            [
                block("s1 d1", "trip", "<small>\(say(DesignTexts.leaveAt))</small>"),
                block("s3 d2", "block meeting", "<b>\(say(DesignTexts.review))</b>"),
            ],
            [block("s0 d4", "block sport loose", "<b>\(say(DesignTexts.gym))</b>")], [],
        ]
        let days = blocks.enumerated().map { number, items -> HTML in
            let name = "\(number + 24)"
            let list: HTML = "<ul>\(items)</ul>"
            return """
                <li\(HTML.when(number == 0, " class=\"today\""))><h2><a href="/design" \
                data-brief="\(name)"><span>\(say(DesignTexts.day)) \(name)</span></a></h2>\
                \(HTML.when(!items.isEmpty, list))</li>
                """
        }
        return """
            <div class="week"><ol class="hours" aria-hidden="true"><li>08:00</li><li>09:00</li>\
            <li>10:00</li></ol><ol>\(days)</ol></div>
            """
    }

    private func block(_ place: HTML, _ style: HTML, _ content: HTML) -> HTML {
        "<li class=\"\(place)\"><a class=\"block \(style)\" href=\"/design\">\(content)</a></li>"
    }

    private var month: HTML {
        let heads = (0..<7).map { number -> HTML in
            "<th scope=\"col\">\(say(DesignTexts.day)) \(number + 1)</th>"
        }
        let days = (1...14).map { day -> HTML in
            let dots: HTML = """
                <span class="dots" aria-hidden="true"><i class="meeting" data-title="A"></i>\
                <i class="sport" data-title="B"></i></span>
                """
            return """
                <td><a href="/design"\(HTML.when(day == 9, " aria-current=\"date\""))>\
                <b>\(day)</b>\(HTML.when(day % 4 == 1, dots))</a></td>
                """
        }
        return """
            <table class="month"><caption class="hidden">\(say(DesignTexts.month))</caption>\
            <thead><tr>\(heads)</tr></thead>\
            <tbody><tr>\(Array(days[..<7]))</tr><tr>\(Array(days[7...]))</tr></tbody></table>
            """
    }
}
