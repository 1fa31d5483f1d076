// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once

/// Whether a password, which ends at its NUL, has a hash of crypt(5), such as bcrypt's `$2b$10$…`: 1, or 0; -1 where it
/// cannot be computed.
int homing_crypt_matches(const char *password, const char *hash);
