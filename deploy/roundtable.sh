#!/bin/sh
# `roundtable` for root on a machine with roundtable.service: as the server's user, with its settings and in its folder.
# Copy it to /usr/local/bin/roundtable, and see docs/hosting.md.
exec runuser -u roundtable -- sh -c '
    export HOME=/var/lib/roundtable
    cd "$HOME" || exit
    set -a
    [ ! -e /etc/roundtable.conf ] || . /etc/roundtable.conf
    exec /opt/roundtable/bin/roundtable "$@"
' roundtable "$@"
