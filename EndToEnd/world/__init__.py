# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""What the tests live in: a server of their own, a relay that keeps what it was given, a browser, an app's site."""
