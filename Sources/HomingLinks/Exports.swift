// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// `import HomingLinks` alone makes `HomingApp` and what it takes visible.
@_exported public import HomingClient
