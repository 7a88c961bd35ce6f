import Drivers
import Identity
import Testing
import WebTestSupport

@testable import RegisterPages
@testable import TaxiPages
@testable import WebApp

@Suite("What a page showed")
struct ShownDigestTests {
    @Test(
        "a digest has two digits for each byte, so that no two values share one (issue 29)",
        arguments: 0..<20
    )
    func length(number: Int) {
        #expect(shownDigest(of: [(.seats, "\(number)")]).utf8.count == 64)
    }
}
