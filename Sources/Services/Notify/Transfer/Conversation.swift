import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The data sent and received by one transfer; only used by the thread of the transfer.
final class Conversation {
    var outgoing: ArraySlice<UInt8> = []
    var admits: ((NetworkAddress) -> Bool)?
    private var body: [UInt8] = []
    private var reply: [String] = []
    private var command = ""
    /// The last command before `QUIT`.
    private var last: String?
    private var retryAfter: Int64?
    private var isForbidden = false

    /// How many bytes of a response are kept.
    private static let bodyLimit = 2_048
    private static let replyLimit = 8
    /// The size in bytes above which a response aborts the transfer.
    private static let answerLimit = 1 << 20
    private var heard = 0

    /// Receives bytes of a body; false if there are too many.
    func hear(_ bytes: UnsafeRawBufferPointer) -> Bool {
        heard += bytes.count
        let room = Self.bodyLimit - body.count
        if room > 0 { unsafe body.append(contentsOf: bytes.prefix(room)) }
        return heard <= Self.answerLimit
    }

    /// Receives a line of an SMTP reply or an HTTP header.
    func hear(line bytes: UnsafeRawBufferPointer) -> Bool {
        heard += bytes.count
        // The reply to `QUIT` is not part of the result.
        if command == "QUIT" { return true }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        let text = line.trimmingLineEnd
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == "retry-after" {
            retryAfter = Int64(parts[1].drop { $0 == " " })
        }
        // The last line of a reply has a space after its code.
        if reply.last?.dropFirst(3).first != "-" { reply = [] }
        if reply.count < Self.replyLimit { reply.append(text) }
        return heard <= Self.answerLimit
    }

    func note(command bytes: UnsafeRawBufferPointer) {
        let word = unsafe bytes.prefix { $0 > 0x20 }
        let name = unsafe String(decoding: word, as: UTF8.self).uppercased()
        if name == "QUIT" { last = command }
        command = name
    }

    func admit(_ address: NetworkAddress?) -> Bool {
        guard let admits else { return true }
        let isAdmitted = address.map(admits) ?? false
        if !isAdmitted { isForbidden = true }
        return isAdmitted
    }

    func answer(code: CURLcode, status: Int) -> Transfer.Answer {
        let text =
            body.isEmpty ? reply.joined(separator: " ") : String(decoding: body, as: UTF8.self)
        return Transfer.Answer(
            code: code.rawValue,
            words: unsafe String(cString: curl_easy_strerror(code)),
            status: status,
            text: text,
            retryAfter: retryAfter,
            command: last ?? command,
            isForbidden: isForbidden
        )
    }
}

extension String {
    fileprivate var trimmingLineEnd: String {
        String(
            unicodeScalars.reversed().drop { $0 == "\r" || $0 == "\n" }.reversed().map(
                Character.init
            )
        )
    }
}

private func conversation(_ context: UnsafeMutableRawPointer) -> Conversation {
    // Passed unretained by `Transfer.perform`, which holds the object until curl is done.
    unsafe Unmanaged<Conversation>.fromOpaque(context).takeUnretainedValue()
}

let receiveBody: viavai_transfer_function = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe conversation(context).hear(buffer) ? size * count : 0
}

let receiveLine: viavai_transfer_function = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe conversation(context).hear(line: buffer) ? size * count : 0
}

let sendMore: viavai_transfer_function = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let conversation = unsafe conversation(context)
    let piece = conversation.outgoing.prefix(size * count)
    let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    unsafe room.copyBytes(from: piece)
    conversation.outgoing = conversation.outgoing.dropFirst(piece.count)
    return piece.count
}

let noteCommand: curl_debug_callback = { _, type, bytes, count, context in
    if type == CURLINFO_HEADER_OUT, let bytes = unsafe bytes, let context = unsafe context {
        unsafe conversation(context).note(
            command: UnsafeRawBufferPointer(start: bytes, count: count)
        )
    }
    return 0
}

let openSocket: curl_opensocket_callback = { context, _, address in
    guard let context = unsafe context, let address = unsafe address else {
        return CURL_SOCKET_BAD
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe viavai_address_bytes(address, &bytes)
    let found = NetworkAddress(bytes: Array(bytes.prefix(count)))
    guard unsafe conversation(context).admit(found) else { return CURL_SOCKET_BAD }
    let place = unsafe address.pointee
    return socket(place.family, place.socktype | Int32(SOCK_CLOEXEC.rawValue), place.protocol)
}
