import Foundation
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

extension AccountFlowTests {
    @Test("issue 30: each value of the account is a row, whose page asks for nothing else (R101)")
    func rows() async throws {
        try await withSite { site in
            try await Self.register(at: site)
            let visitor = site.visitor()
            _ = try await Self.logIn(visitor)
            let shown = try await visitor.get("/account").text
            for address in [
                "/account/edit?part=name", "/account/email", "/account/edit?part=phone",
                "/account/edit?part=address", "/account/edit?part=language", "/account/user-name",
                "/account/password", "/account/sessions", "/account/preferences",
                "/account/consent", "/account/export", "/account/delete", "/account/places",
                "/reliability", "/account/rides", "/reservations",
            ] { #expect(shown.contains("class=\"row\" href=\"\(address)\""), "\(address)") }
            let page = "/account/edit?part=phone"
            let form = try await visitor.get(page).text
            #expect(form.contains("id=\"field-phone\"") && !form.contains("id=\"field-name\""))
            let wrong = try await visitor.submit(["phone": "x"], on: page)
            #expect(wrong.status == 422 && !wrong.text.contains("id=\"field-name\""))
            let saved = try await visitor.submit(["phone": "+39 333 1234567"], on: page)
            #expect(saved.header("location") == "/account?notice=saved")
            let changed = try await visitor.get("/account").text
            #expect(changed.contains("+393331234567") && changed.contains("Ana Bruni"))
            // What is no part shows the whole form.
            let whole = try await visitor.get("/account/edit?part=password").text
            #expect(whole.contains("id=\"field-name\"") && whole.contains("id=\"field-phone\""))
        }
    }

    @Test("issue 30: what may stay empty is folded when registering, unless it is wrong (R96)")
    func folded() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let form = try await visitor.get("/register").text
            let details = try #require(form.firstRange(of: "<details class=\"folded\">"))
            let phone = try #require(form.firstRange(of: "id=\"field-phone\""))
            #expect(details.upperBound < phone.lowerBound)
            var fields = Self.ana
            fields["phone"] = "no number"
            let wrong = try await visitor.submit(fields, on: "/register").text
            #expect(wrong.contains("<details class=\"folded\" open>"), "\(wrong)")
        }
    }
}
