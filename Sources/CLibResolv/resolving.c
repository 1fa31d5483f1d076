// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CLibResolv.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>
#include <string.h>

int homing_dns_ask(
    const char *server, unsigned short port, const char *name, int type, int seconds, unsigned char *answer, int size)
{
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return HOMING_DNS_FAILED;
    state.retrans = seconds;
    state.retry = 2;
    state.options |= RES_USE_EDNS0;
    if (server != NULL) {
        struct in_addr address;
        if (inet_pton(AF_INET, server, &address) != 1) {
            res_nclose(&state);
            return HOMING_DNS_FAILED;
        }
        state.nscount = 1;
        memset(&state.nsaddr_list[0], 0, sizeof state.nsaddr_list[0]);
        state.nsaddr_list[0].sin_family = AF_INET;
        state.nsaddr_list[0].sin_addr = address;
        state.nsaddr_list[0].sin_port = htons(port);
    }
    int length = res_nquery(&state, name, ns_c_in, type, answer, size);
    int reason = state.res_h_errno;
    res_nclose(&state);
    if (length > size) return size;
    if (length >= 0) return length;
    switch (reason) {
    case HOST_NOT_FOUND: return HOMING_DNS_NO_SUCH_NAME;
    case NO_DATA: return HOMING_DNS_NO_RECORDS;
    default: return HOMING_DNS_FAILED;
    }
}

// The strings of a TXT record one behind the other; each has its length before it.
static int text_of_strings(const unsigned char *data, int length, unsigned char *text, int size)
{
    int filled = 0;
    for (int at = 0; at < length; at += 1 + data[at]) {
        int count = data[at];
        if (at + 1 + count > length || filled + count > size) return -1;
        memcpy(text + filled, data + at + 1, count);
        filled += count;
    }
    return filled;
}

static int text_of_exchange(const ns_msg *message, const unsigned char *data, int length, unsigned char *text, int size)
{
    char host[NS_MAXDNAME];
    if (length < 3) return -1;
    if (ns_name_uncompress(ns_msg_base(*message), ns_msg_end(*message), data + 2, host, sizeof host) < 0) return -1;
    int filled = snprintf((char *)text, size, "%u %s", ns_get16(data), host[0] == 0 ? "." : host);
    return filled < size ? filled : -1;
}

static int text_of_address(int family, const unsigned char *data, unsigned char *text, int size)
{
    if (inet_ntop(family, data, (char *)text, size) == NULL) return -1;
    return (int)strlen((char *)text);
}

int homing_dns_record(
    const unsigned char *answer, int length, int type, int index, unsigned char *text, int size)
{
    ns_msg message;
    if (ns_initparse(answer, length, &message) != 0) return -1;
    for (int at = 0; at < ns_msg_count(message, ns_s_an); at++) {
        ns_rr record;
        if (ns_parserr(&message, ns_s_an, at, &record) != 0) return -1;
        if (ns_rr_type(record) != type || index-- > 0) continue;
        const unsigned char *data = ns_rr_rdata(record);
        int count = ns_rr_rdlen(record);
        switch (type) {
        case HOMING_DNS_TXT: return text_of_strings(data, count, text, size);
        case HOMING_DNS_MX: return text_of_exchange(&message, data, count, text, size);
        case HOMING_DNS_A: return count == 4 ? text_of_address(AF_INET, data, text, size) : -1;
        case HOMING_DNS_AAAA: return count == 16 ? text_of_address(AF_INET6, data, text, size) : -1;
        default: return -1;
        }
    }
    return -1;
}
