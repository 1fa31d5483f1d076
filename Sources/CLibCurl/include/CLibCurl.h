// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once
#include <curl/curl.h>

// `curl_easy_setopt` and `curl_easy_getinfo` take variable arguments, which Swift does not import. Each function here
// passes one kind of value; the parentheses step round curl's type-checking macros, which want a constant option.

// Values of CURLOPT_USE_SSL, which are an enumeration in older headers and numbers in newer ones.
static const long homing_curl_ssl_none = CURLUSESSL_NONE;
static const long homing_curl_ssl_try = CURLUSESSL_TRY;
static const long homing_curl_ssl_all = CURLUSESSL_ALL;

static inline CURLcode homing_curl_start(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLcode homing_curl_set_number(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode homing_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode homing_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode homing_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode homing_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode homing_curl_on_read(CURL *handle, curl_read_callback callback, void *context) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_READFUNCTION, callback);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_READDATA, context);
}

static inline CURLcode homing_curl_on_write(CURL *handle, curl_write_callback callback) {
    return (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, callback);
}

static inline CURLcode homing_curl_on_debug(CURL *handle, curl_debug_callback callback, void *context) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, callback);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context);
}

static inline CURLcode homing_curl_on_progress(CURL *handle, curl_xferinfo_callback callback, void *context) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, callback);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_XFERINFODATA, context);
}

static inline curl_socket_t homing_curl_no_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    (void)address;
    return CURL_SOCKET_BAD;
}

/// From now on the handle may use the connection it has, and open no other.
static inline CURLcode homing_curl_open_no_more(CURL *handle) {
    return (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, homing_curl_no_socket);
}

static inline long homing_curl_get_number(CURL *handle, CURLINFO info) {
    long value = 0;
    return (curl_easy_getinfo)(handle, info, &value) == CURLE_OK ? value : 0;
}

/// Whether the handle keeps an open connection from its last transfer.
static inline int homing_curl_is_connected(CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return (curl_easy_getinfo)(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD;
}

static inline CURLcode homing_curl_on_body(CURL *handle, curl_write_callback callback, void *context) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, callback);
    return code != CURLE_OK ? code : (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
}

/// NULL when the transfer told nothing of the kind; the text belongs to the handle, until its next transfer.
static inline const char *homing_curl_get_text(CURL *handle, CURLINFO info) {
    const char *value = NULL;
    return (curl_easy_getinfo)(handle, info, &value) == CURLE_OK ? value : NULL;
}

/// What CURLOPT_CERTINFO kept of the server's own certificate, as "name:value"; NULL when there was none.
static inline const struct curl_slist *homing_curl_get_certificate(CURL *handle) {
    struct curl_certinfo *found = NULL;
    if ((curl_easy_getinfo)(handle, CURLINFO_CERTINFO, &found) != CURLE_OK || found == NULL) return NULL;
    return found->num_of_certs > 0 ? found->certinfo[0] : NULL;
}
