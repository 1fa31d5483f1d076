// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once

/// The commit that this program was built from, and its date, with a space between them; empty where the build was not
/// told. Nothing but HomingCommands depends on this target, so that a new commit compiles one line.
const char *homing_commit(void);
