import Markup
import TaxiPages

/// The drawing on the home page: a taxi driving through the city's streets.
///
/// It is decorative, so it is hidden from screen readers. It takes its colours from the page.
enum HomeDrawing {
    static let html: HTML = """
        <svg class="scene" viewBox="0 0 320 200" aria-hidden="true" focusable="false">\
        <path class="far" d="M0 150V96h34V70h30v26h20V52l16-14 16 14v44h26V80h36v16h24V60h28v36h22\
        V84h30v12h38v54z"/>\
        <path class="near" d="M0 150v-30h40v-16h22v16h36v-24h14v24h66v-12h28v12h52v-20h20v20h42v30z\
        "/>\
        <path class="road" d="M0 150h320v50H0z"/>\
        <path class="mark" d="M8 176h44M84 176h44M160 176h44M236 176h44"/>\
        <path class="car" d="M92 150v-22q0-6 7-7l17-3 15-19q4-5 11-5h44q7 0 12 5l17 19 22 4q7 1 7 8\
        v20z"/>\
        <path class="glass" d="M129 117l11-14q2-2 5-2h16v16zM168 101h17q4 0 6 3l12 13h-35z"/>\
        <path class="sign" d="M156 94v-9h24v9z"/>\
        <g class="wheels"><circle cx="124" cy="150" r="14"/><circle cx="214" cy="150" r="14"/></g>\
        <path class="pin" d="M272 118c-9-12-15-19-15-28a15 15 0 0130 0c0 9-6 16-15 28z"/>\
        <circle class="hole" cx="272" cy="90" r="5"/>\
        </svg>
        """
}
