import HTTPServer
import Hummingbird
import NIOCore

extension WebResponder {
    /// The body of a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - limit: the most bytes that it may have.
    /// - Returns: the bytes.
    /// - Throws: `Failure` for a body that is too long, comes too slowly or ends early.
    func bytes(of request: Request, limit: Int) async throws(Failure) -> [UInt8] {
        do {
            return Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw .tooLarge(limit: limit)
        } catch is ClientTooSlow {
            throw .tooSlow
        } catch {
            // The client disconnected or sent a malformed body: not a server error.
            throw .badRequest
        }
    }
}
