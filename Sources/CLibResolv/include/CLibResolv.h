// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once
#include <stddef.h>

/// Types of records (RFC 1035, section 3.2.2; RFC 3596, section 2.1).
enum {
    HOMING_DNS_A = 1,
    HOMING_DNS_MX = 15,
    HOMING_DNS_TXT = 16,
    HOMING_DNS_AAAA = 28,
};

/// Why a question has no answer.
enum {
    HOMING_DNS_NO_SUCH_NAME = -1,
    HOMING_DNS_NO_RECORDS = -2,
    HOMING_DNS_FAILED = -3,
};

/// Asks for one type of records of exactly this name, without the system's search list, and blocks until the answer is
/// there or the name servers have had `seconds` each, twice. TCP is used when UDP is too short for the answer.
///
/// `server` is an IPv4 address in dotted decimal, or NULL for the system's own name servers; `port` goes with it.
/// Returns how many bytes of `answer` were filled, or one of the negative numbers above.
int homing_dns_ask(
    const char *server, unsigned short port, const char *name, int type, int seconds, unsigned char *answer, int size);

/// The record number `index`, counted from 0, among those of this type in an answer, as text: the strings of a TXT put
/// together (RFC 7208, section 3.3), preference and host of an MX, an address. Bytes are not checked.
///
/// Returns how many bytes of `text` were filled; -1 when there is no such record or the answer cannot be read.
int homing_dns_record(
    const unsigned char *answer, int length, int type, int index, unsigned char *text, int size);
