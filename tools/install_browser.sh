#!/bin/sh
# Install Debian's Chromium for the browser tests, if it is missing and we are root; otherwise print one sentence.
# Prefer chromium-headless-shell: it takes less than half the time.
set -eu
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium for the browser tests …"
    export DEBIAN_FRONTEND=noninteractive
    flock /tmp apt-get -qq update
    for name in chromium-headless-shell chromium; do
        if apt-get -qq -y -o DPkg::Lock::Timeout=600 install --no-install-recommends "$name" >/dev/null; then exit 0; fi
    done
fi
echo "The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell); until then they are skipped." >&2
