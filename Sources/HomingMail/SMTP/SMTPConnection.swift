// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
internal import HomingCurl
import HomingWire

/// One kept connection to the relay, over which libcurl speaks. It blocks while it waits, and belongs to one thread.
///
/// libcurl's multi interface would let one thread hold many connections, but it too blocks from the final dot until
/// the relay's reply (libcurl-multi(3), "Blocking": the DONE operation of SMTP), which is most of a mail's time.
final class SMTPConnection: MailConnection {
    private let handle: UnsafeMutableRawPointer
    private let exchange = SMTPExchange()
    private let internet = PublicInternet()
    private let errorText: UnsafeMutablePointer<CChar>
    private let relay: SMTPRelay
    /// The access token of the present login.
    private var token: String?

    private static let hasStarted = homing_curl_start() == CURLE_OK

    /// Nil when libcurl has no memory or no TLS library that it can start.
    init?(to relay: SMTPRelay, heloName: String) {
        guard Self.hasStarted, let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.relay = relay
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard configure(for: relay, heloName: heloName), installCallbacks(),
            !relay.isPublicOnly || internet.guards(handle)
        else { return nil }
    }

    deinit {
        curl_easy_cleanup(handle)
        errorText.deallocate()
    }

    /// Hands one mail over and waits for the relay's verdict, at most until the deadline. The addresses must be safe
    /// for the wire.
    ///
    /// - Parameter token: for a login, if one is needed; another token on a kept connection would only end that.
    func deliver(
        _ envelope: MailEnvelope, token: String?, by deadline: ContinuousClock.Instant,
        isStopped: @escaping () -> Bool
    ) -> DeliveryResult {
        let message = RelayHeaders.add(to: CanonicalLines.of(envelope.message), of: envelope.id, through: relay.host)
        guard use(token) else { return DeliveryResult(outcome: .relayUnavailable("libcurl has no memory")) }
        let first = attempt(envelope, message, by: deadline, onNewConnection: false, isStopped)
        // A relay may close an idle connection, politely with 421 or not; only writing to the connection reveals that.
        let isStale = first.usedKeptConnection && first.ending.stage <= .sender && first.ending.cause == .failed
        guard isStale, first.ending.reply.map({ $0.code == 421 }) ?? !first.hasHeard else {
            return result(first.ending)
        }
        guard use(token, onNewConnection: true) else { return result(first.ending) }
        return result(attempt(envelope, message, by: deadline, onNewConnection: true, isStopped).ending)
    }

    private func result(_ ending: SMTPEnding) -> DeliveryResult {
        DeliveryResult(outcome: ending.outcome, refusedToken: ending.refusesToken ? token : nil)
    }

    private func use(_ newer: String?, onNewConnection: Bool = false) -> Bool {
        guard let newer, onNewConnection || homing_curl_is_connected(handle) == 0 else { return true }
        token = newer
        return set(CURLOPT_XOAUTH2_BEARER, newer)
    }

    /// Ends the dialogue with QUIT. libcurl would do so when the handle is freed, but then wait two minutes for a relay
    /// that does not answer; a transfer whose connection is not to be reused waits no longer than it may.
    func close() {
        guard homing_curl_is_connected(handle) != 0 else { return }
        exchange.begin(message: [], isStopped: { false })
        _ =
            set(CURLOPT_UPLOAD, 0) && set(CURLOPT_CUSTOMREQUEST, "NOOP") && set(CURLOPT_FORBID_REUSE, 1)
            && set(CURLOPT_TIMEOUT_MS, 2_000) && homing_curl_open_no_more(handle) == CURLE_OK
            && curl_easy_perform(handle) == CURLE_OK
    }

    private struct Attempt {
        let ending: SMTPEnding
        let usedKeptConnection: Bool
        let hasHeard: Bool
    }

    private func attempt(
        _ envelope: MailEnvelope, _ message: [UInt8], by deadline: ContinuousClock.Instant, onNewConnection: Bool,
        _ isStopped: @escaping () -> Bool
    ) -> Attempt {
        exchange.begin(message: message, isStopped: isStopped)
        errorText.pointee = 0
        internet.forget()
        let recipients = curl_slist_append(nil, envelope.recipient)
        defer {
            _ = homing_curl_set_list(handle, CURLOPT_MAIL_RCPT, nil)
            curl_slist_free_all(recipients)
        }
        let left = max(1, ContinuousClock.now.duration(to: deadline) / .milliseconds(1))
        let isReady =
            recipients != nil && homing_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients) == CURLE_OK
            && set(CURLOPT_MAIL_FROM, envelope.sender) && set(CURLOPT_TIMEOUT_MS, Int(left))
            && set(CURLOPT_FRESH_CONNECT, onNewConnection ? 1 : 0)
            && homing_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(message.count)) == CURLE_OK
        let code = isReady ? curl_easy_perform(handle) : CURLE_OUT_OF_MEMORY
        let transcript = exchange.transcript
        return Attempt(
            ending: SMTPEnding(
                cause: cause(of: code), stage: transcript.stage, reply: transcript.reply, libcurlSaid: words(for: code),
                relay: relay, token: token),
            usedKeptConnection: isReady && homing_curl_get_number(handle, CURLINFO_NUM_CONNECTS) == 0,
            hasHeard: transcript.hasHeard)
    }

    private func cause(of code: CURLcode) -> SMTPEnding.Cause {
        switch code {
        case CURLE_OK: .completed
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_ABORTED_BY_CALLBACK: .stopped
        case CURLE_LOGIN_DENIED: .loginDenied
        default: .failed
        }
    }

    private func words(for code: CURLcode) -> String {
        if let reason = internet.reason { return reason }
        let detail = String(cString: errorText)
        return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }
}

// MARK: - Options

extension SMTPConnection {
    private func configure(for relay: SMTPRelay, heloName: String) -> Bool {
        let scheme = relay.speaksTLSAtOnce ? "smtps" : "smtp"
        // libcurl sends the path of the URL after EHLO.
        let url = "\(scheme)://\(relay.host):\(relay.port)/\(Self.escaped(heloName))"
        return set(CURLOPT_URL, url)
            && set(CURLOPT_PROXY, "")  // An http_proxy in the environment is not meant for mail.
            && set(CURLOPT_NOSIGNAL, 1)
            && set(CURLOPT_MAXCONNECTS, 1)
            && set(CURLOPT_UPLOAD_BUFFERSIZE, 16 * 1_024)
            && set(CURLOPT_UPLOAD, 1)
            && configureTLS(for: relay)
            && configureCredentials(of: relay)
    }

    private func configureTLS(for relay: SMTPRelay) -> Bool {
        let level =
            switch relay.security {
            case .none: homing_curl_ssl_none
            case .opportunistic: homing_curl_ssl_try
            case .verified: homing_curl_ssl_all
            }
        let isVerified = relay.security == .verified
        return set(CURLOPT_USE_SSL, level)
            && set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
            && set(CURLOPT_SSL_VERIFYPEER, isVerified ? 1 : 0)
            && set(CURLOPT_SSL_VERIFYHOST, isVerified ? 2 : 0)
            && configureAuthorities(for: relay)
    }

    private func configureAuthorities(for relay: SMTPRelay) -> Bool {
        if let file = relay.authorityFile { return set(CURLOPT_CAINFO, file) && setNull(CURLOPT_CAPATH) }
        guard let folder = SystemAuthorities.folder else { return true }
        return setNull(CURLOPT_CAINFO) && set(CURLOPT_CAPATH, folder)
    }

    private func configureCredentials(of relay: SMTPRelay) -> Bool {
        if let login = relay.tokenLogin {
            // Without the option libcurl prefers a mechanism with a password, which is empty.
            return set(CURLOPT_LOGIN_OPTIONS, "AUTH=\(login.mechanism.name)") && set(CURLOPT_SASL_IR, 1)
                && set(CURLOPT_USERNAME, login.user)
        }
        guard let credentials = relay.credentials else { return true }
        // The older mechanisms hide a password that TLS hides already, and fail with relays that store it hashed.
        return set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN") && set(CURLOPT_SASL_IR, 1)
            && set(CURLOPT_USERNAME, credentials.user) && set(CURLOPT_PASSWORD, credentials.password)
    }

    private func installCallbacks() -> Bool {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        return set(CURLOPT_VERBOSE, 1)  // Only then does the debug callback see commands and replies.
            && homing_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
            && homing_curl_on_read(handle, readMessage, context) == CURLE_OK
            && homing_curl_on_debug(handle, noteDialogue, context) == CURLE_OK
            && homing_curl_on_progress(handle, checkProgress, context) == CURLE_OK
            && homing_curl_on_write(handle, discard) == CURLE_OK
            && set(CURLOPT_NOPROGRESS, 0)
    }

    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        homing_curl_set_number(handle, option, value) == CURLE_OK
    }

    private func set(_ option: CURLoption, _ value: String) -> Bool {
        homing_curl_set_text(handle, option, value) == CURLE_OK
    }

    private func setNull(_ option: CURLoption) -> Bool {
        homing_curl_set_text(handle, option, nil) == CURLE_OK
    }

    /// Percent-encodes bytes that no host name has; libcurl decodes an address literal's brackets again.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            ASCII.isLetterOrDigit(byte) || "-.".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.encode([byte])
        }.joined()
    }
}

// MARK: - Callbacks

// The context is the exchange, which its connection keeps alive for longer than the handle.
private func exchange(at context: UnsafeMutableRawPointer?) -> SMTPExchange? {
    context.map { Unmanaged<SMTPExchange>.fromOpaque($0).takeUnretainedValue() }
}

private let readMessage: curl_read_callback = { buffer, size, count, context in
    guard let exchange = exchange(at: context) else { return Int(CURL_READFUNC_ABORT) }
    return exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

private let noteDialogue: curl_debug_callback = { _, kind, bytes, count, context in
    exchange(at: context)?.note(kind, UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}

private let checkProgress: curl_xferinfo_callback = { context, _, _, _, _ in
    exchange(at: context)?.shouldEnd == true ? 1 : 0
}

private let discard: curl_write_callback = { _, size, count, _ in size * count }
