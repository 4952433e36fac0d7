#!/bin/sh
# The browser tests drive Debian's Chromium. Where it is missing and we may, it is installed; otherwise one sentence.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium for the browser tests …"
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends chromium >/dev/null
else
    echo "The browser tests need Chromium: install it (Debian: apt-get install chromium); until then they are skipped." >&2
fi
