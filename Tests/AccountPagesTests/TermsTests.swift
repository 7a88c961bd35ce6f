import Identity
import Storage
import Testing
import WebTestSupport

@testable import WebApp

/// Terms of use, and what people may state of themselves (travlendar.md V2, V4, V97).
@Suite("Terms and statements", .serialized)
struct TermsTests {
    @Test("V4: who registers accepts the terms, which name licence and ticket")
    func accepted() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            let form = try await visitor.get("/register")
            #expect(form.text.contains("I accept the terms of use"))
            #expect(form.text.contains("href=\"/terms\""))
            let terms = try await visitor.get("/terms")
            #expect(terms.status == 200)
            for words in ["hold a valid licence", "Carry a valid ticket"] {
                #expect(terms.text.contains(words), "\(words)")
            }
            // V97: what nobody should rely on.
            #expect(terms.text.contains("where life or health depends on being in time"))
            var refused = AccountFlowTests.ana
            refused["consent"] = nil
            #expect(try await visitor.submit(refused, on: "/register").status == 422)
            #expect(try await site.message(.confirmRegistration) == nil)
        }
    }

    @Test("R97, V4: who accepted an earlier version is asked again until the new one is accepted")
    func renewed() async throws {
        try await withSite { site in
            try await AccountFlowTests.register(at: site)
            let visitor = site.visitor()
            _ = try await AccountFlowTests.logIn(visitor)
            let words = "Please read our terms"
            #expect(!(try await visitor.get("/dashboard").text.contains(words)))
            try await site.installation.database.write { transaction in
                try transaction.execute("UPDATE consent SET version = '1'")
            }
            for page in ["/dashboard", "/account"] {
                #expect(try await visitor.get(page).text.contains(words), "\(page)")
            }
            _ = try await visitor.submit([:], on: "/account/consent")
            for page in ["/dashboard", "/account"] {
                #expect(!(try await visitor.get(page).text.contains(words)), "\(page)")
            }
        }
    }

    @Test("V2: date of birth and gender may be stated or left out, and only their owner sees them")
    func stated() async throws {
        try await withSite { site in
            let visitor = site.visitor()
            var fields = AccountFlowTests.ana
            fields["birth_date"] = "2999-05-17"
            let refused = try await visitor.submit(fields, on: "/register")
            #expect(refused.status == 422)
            #expect(refused.text.contains("href=\"#field-birth_date\""))
            #expect(refused.text.contains("Write a date that has passed"))
            fields["birth_date"] = "1984-05-17"
            fields["gender"] = "woman"
            try await AccountFlowTests.register(fields, at: site)
            _ = try await AccountFlowTests.logIn(visitor)
            let account = try await visitor.get("/account").text
            #expect(account.contains("17 May 1984") && account.contains("years old)"))
            #expect(account.contains("Woman"))
            let changed = try await visitor.submit(
                ["birth_date": "", "gender": "", "part": "birth_date"],
                on: "/account/edit?part=birth_date"
            )
            #expect(changed.status == 303)
            #expect(!(try await visitor.get("/account").text.contains("1984")))
        }
    }
}
