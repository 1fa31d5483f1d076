// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import CLibCurl
internal import HomingWire

/// One transfer of libcurl's, which blocks, with a record of its dialogue. It belongs to one thread.
package final class CurlTransfer {
    private let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var isReady = true
    private let internet = PublicInternet()
    package private(set) var body: [UInt8] = []
    /// Whether the server sent more than was requested; the rest was dropped.
    package private(set) var isCut = false
    /// The first words of the commands that were sent: never the words behind them, which may be a password.
    package private(set) var verbs: [String] = []
    /// The first lines that the server sent, each up to a limit.
    package private(set) var replies: [[UInt8]] = []
    private static let mostReplies = 2_000
    private static let longestReply = 16_384

    fileprivate private(set) var isStopped: () -> Bool = { false }

    /// More is not read.
    package var bodyLimit = 512 * 1_024
    private static let hasStarted = homing_curl_start() == CURLE_OK

    /// Nil when libcurl has no memory or no TLS library that it can start.
    package init?(url: String, seconds: Int) {
        guard Self.hasStarted, let handle = curl_easy_init() else { return nil }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        begin(url, seconds: seconds)
    }

    /// Prepares the next transfer, which goes over the connection of the last one if that leads to the same server.
    package func begin(_ url: String, seconds: Int) {
        curl_easy_reset(handle)
        for list in lists { curl_slist_free_all(list) }
        (lists, body, isCut, verbs, replies) = ([], [], false, [], [])
        errorText.pointee = 0
        internet.forget()
        let context = Unmanaged.passUnretained(self).toOpaque()
        isReady =
            homing_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
            && homing_curl_on_body(handle, keepBody, context) == CURLE_OK
            && homing_curl_on_debug(handle, noteHeaders, context) == CURLE_OK
        set(CURLOPT_VERBOSE, 1)  // Only then does the debug callback see commands and replies.
        set(CURLOPT_URL, url)
        set(CURLOPT_PROXY, "")  // The request goes to the host itself.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CERTINFO, 1)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_CONNECTTIMEOUT, seconds)
        set(CURLOPT_TIMEOUT, seconds)
    }

    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
    }

    package func set(_ option: CURLoption, _ value: Int) {
        isReady = homing_curl_set_number(handle, option, value) == CURLE_OK && isReady
    }

    package func set(_ option: CURLoption, _ value: String) {
        isReady = homing_curl_set_text(handle, option, value) == CURLE_OK && isReady
    }

    package func set(_ option: CURLoption, _ values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values { list = curl_slist_append(list, value) ?? list }
        guard let list else { return }
        lists.append(list)
        isReady = homing_curl_set_list(handle, option, list) == CURLE_OK && isReady
    }

    /// The body of a POST.
    package func post(_ body: [UInt8]) {
        isReady =
            homing_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK && isReady
        isReady =
            body.withUnsafeBytes { bytes in
                // libcurl copies them; without any it takes none.
                homing_curl_set_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)) == CURLE_OK
            } && isReady
        set(CURLOPT_POST, 1)
    }

    /// Connects to addresses of the internet alone.
    package func staysOutside() { isReady = internet.guards(handle) && isReady }

    /// Gives the transfer up as soon as somebody says so; libcurl asks at least once a second.
    package func stop(when isStopped: @escaping () -> Bool) {
        self.isStopped = isStopped
        let context = Unmanaged.passUnretained(self).toOpaque()
        isReady = homing_curl_on_progress(handle, checkProgress, context) == CURLE_OK && isReady
        set(CURLOPT_NOPROGRESS, 0)
    }

    /// Trusts the certificates of this file alone, or those of the system: in a folder by the hashes of their names
    /// where one is given, of which a connection reads the one that it needs.
    package func trust(_ authorityFile: String?, orFolder folder: String? = nil, isVerifying: Bool) {
        set(CURLOPT_SSL_VERIFYPEER, isVerifying ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, isVerifying ? 2 : 0)
        if let folder, authorityFile == nil {
            isReady = homing_curl_set_text(handle, CURLOPT_CAINFO, nil) == CURLE_OK && isReady
            set(CURLOPT_CAPATH, folder)
        }
        guard let authorityFile else { return }
        set(CURLOPT_CAINFO, authorityFile)
        isReady = homing_curl_set_text(handle, CURLOPT_CAPATH, nil) == CURLE_OK && isReady
    }

    package func perform() -> CURLcode {
        isReady ? curl_easy_perform(handle) : CURLE_OUT_OF_MEMORY
    }

    package func number(_ info: CURLINFO) -> Int { homing_curl_get_number(handle, info) }

    package func text(_ info: CURLINFO) -> String? {
        homing_curl_get_text(handle, info).map { Printable.ascii(String(cString: $0)) }
    }

    /// The value of a field in the last response's head.
    package func header(_ name: String) -> String? {
        let line = replies.last { reply in
            reply.count > name.utf8.count && reply[name.utf8.count] == UInt8(ascii: ":")
                && String(decoding: reply.prefix(name.utf8.count), as: UTF8.self).lowercased() == name
        }
        guard let value = line?.dropFirst(name.utf8.count + 1) else { return nil }
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        let end = value.lastIndex { !isSpace($0) } ?? value.startIndex
        return String(decoding: value[...end].drop(while: isSpace), as: UTF8.self)
    }

    package func reason(for code: CURLcode) -> String {
        if let reason = internet.reason { return reason }
        let detail = String(cString: errorText)
        return Printable.ascii(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
    }

    /// The end of the server's certificate, in seconds since 1970; nil without TLS.
    package var certificateEnd: Int64? {
        let name = "Expire date:"
        var node = homing_curl_get_certificate(handle)
        while let entry = node {
            let text = entry.pointee.data.map { String(cString: $0) } ?? ""
            if text.utf8.starts(with: name.utf8) { return Self.date(String(text.dropFirst(name.count))) }
            node = entry.pointee.next.map { UnsafePointer($0) }
        }
        return nil
    }

    fileprivate func keep(_ bytes: UnsafeRawBufferPointer) -> Int {
        let room = bodyLimit - body.count
        body.append(contentsOf: bytes.prefix(room))
        guard bytes.count <= room else {
            isCut = true
            return 0
        }
        return bytes.count
    }

    fileprivate func note(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case CURLINFO_HEADER_OUT:
            verbs.append(String(decoding: bytes.prefix(while: ASCII.isUppercaseLetter), as: UTF8.self))
        case CURLINFO_HEADER_IN:
            if replies.count < Self.mostReplies { replies.append(Array(bytes.prefix(Self.longestReply))) }
        default: break
        }
    }
}

extension CurlTransfer {
    package struct Failure: Error {
        package let text: String
    }

    /// One request to a server whose certificate is checked.
    ///
    /// - Parameters:
    ///   - body: the body of a POST; nil for GET or, when no body is wanted, HEAD.
    ///   - key: a bearer key for whoever answers the POST.
    ///   - bodyLimit: the most bytes of an answer.
    ///   - isPublicOnly: whether only addresses of the internet are asked.
    package static func ask(
        _ url: String, posting body: String?, as contentType: String, with key: String? = nil, wantsBody: Bool,
        by agent: String, trusting authorityFile: String?, seconds: Int, bodyLimit: Int? = nil,
        isPublicOnly: Bool = false
    ) -> Result<CurlTransfer, Failure> {
        guard let transfer = CurlTransfer(url: url, seconds: seconds) else {
            return .failure(Failure(text: "libcurl does not start"))
        }
        transfer.set(CURLOPT_USERAGENT, agent)
        transfer.trust(authorityFile, isVerifying: true)
        if isPublicOnly { transfer.staysOutside() }
        if let bodyLimit { transfer.bodyLimit = bodyLimit }
        if !wantsBody { transfer.set(CURLOPT_NOBODY, 1) }
        if let body {
            // No waiting for "100 Continue".
            transfer.set(
                CURLOPT_HTTPHEADER,
                ["Content-Type: \(contentType)", "Expect:"] + (key.map { ["Authorization: Bearer \($0)"] } ?? []))
            transfer.set(CURLOPT_COPYPOSTFIELDS, body)
        }
        let code = transfer.perform()
        guard !transfer.isCut else {
            return .failure(Failure(text: "it answered more than \(transfer.bodyLimit) bytes"))
        }
        return code == CURLE_OK ? .success(transfer) : .failure(Failure(text: transfer.reason(for: code)))
    }

    package var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// Seconds since 1970, of a date as HTTP writes it.
    package static func date(_ text: String) -> Int64? {
        let date = curl_getdate(text, nil)
        return date == -1 ? nil : Int64(date)
    }
}

// The context is the transfer, which outlives the work of its handle.
private func transfer(at context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let keepBody: curl_write_callback = { bytes, size, count, context in
    transfer(at: context)?.keep(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let noteHeaders: curl_debug_callback = { _, kind, bytes, count, context in
    transfer(at: context)?.note(kind, UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}

private let checkProgress: curl_xferinfo_callback = { context, _, _, _, _ in
    transfer(at: context)?.isStopped() == true ? 1 : 0
}
