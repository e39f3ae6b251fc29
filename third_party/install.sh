#!/bin/sh
# Installs what is missing: Debian packages (packages.txt, plus those named as arguments), then the
# pinned archives (fetch.sh). Does nothing, and needs no network, when all is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

missing() {
  for package in "$@"; do
    case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf '%s\n' "$package" ;;
    esac
  done
}

install_packages() {
  wanted=$(missing $(sed 's/#.*//' "$here/packages.txt") "$@")
  [ -n "$wanted" ] || return 0
  echo "install: missing Debian packages:" $wanted
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "install: neither root nor sudo here; as root, run: apt-get install" $wanted >&2
      return 1
    fi
    as_root=sudo
  fi
  # Package lists may be absent (fresh image) or stale; try what is there only after an update.
  $as_root apt-get update -q
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $wanted
}

if command -v dpkg-query >/dev/null; then
  install_packages "$@"
else
  echo "install: not Debian; please see third_party/packages.txt for what has to be there" >&2
fi
exec "$here/fetch.sh"
