#!/bin/sh
# Install Debian's PostgreSQL for the tests of the shared log, if it is missing and we are root; otherwise print one
# sentence. No server is started: the tests start their own.
set -eu
for initdb in /usr/lib/postgresql/*/bin/initdb $(command -v initdb || true); do
    if [ -x "$initdb" ]; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing PostgreSQL for the tests …"
    export DEBIAN_FRONTEND=noninteractive
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
    flock /tmp apt-get -qq update
    if flock /tmp apt-get -qq -y -o DPkg::Lock::Timeout=600 install --no-install-recommends postgresql >/dev/null; then exit 0; fi
fi
echo "Some tests need PostgreSQL: install it (Debian: apt-get install postgresql); until then they are skipped." >&2
