#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
#
# The tests of a team that had `firebase emulators:exec` here: nothing but this start has changed.
set -eu
cd "$(dirname "$0")"
log=$(mktemp)
"${EMULATOR:-homing-emulator}" --port 0 --project demo-lighthouse --import seed > "$log" &
emulator=$!
trap 'kill "$emulator"; wait "$emulator" || true; rm -f "$log"' EXIT
until grep -q '^ready ' "$log"; do
    kill -0 "$emulator"
    sleep 0.05
done
FIREBASE_AUTH_EMULATOR_HOST=$(sed -n 's|^ready http://||p' "$log" | head -n 1)
export FIREBASE_AUTH_EMULATOR_HOST
"${PYTHON:-python3}" -m pytest -q -p no:cacheprovider --noconftest -c /dev/null --rootdir . check_accounts.py
