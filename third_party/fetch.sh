#!/bin/sh
# Fetches the archive pinned in requirements.txt and unpacks the folders that are used into .cache/,
# which outlives build folders. Does nothing when they are there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=imgui_bundle-1.92.900
hash=1476409b76c7f600d0da472aed87e96382444df50695280b3ed9acd5065cb6c2
cache=$here/.cache
[ -f "$cache/$name/.complete" ] && exit 0

# Debian's own Python first: a user's python3 may be anything.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

mkdir -p "$cache"
work=$(mktemp -d "$cache/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "fetch: $name"
PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip download --quiet --no-cache-dir --no-deps \
  --no-binary imgui-bundle --require-hashes -r "$here/requirements.txt" -d "$work"
echo "$hash  $work/$name.tar.gz" | sha256sum --check --quiet -

tar -xzf "$work/$name.tar.gz" -C "$work" \
  "$name/LICENSE" \
  "$name/external/imgui/imgui" \
  "$name/external/implot/implot" \
  "$name/external/ImGuiColorTextEdit/ImGuiColorTextEdit" \
  "$name/external/imgui_md" \
  "$name/external/imgui_test_engine/imgui_test_engine"
touch "$work/$name/.complete"
rm -rf "${cache:?}/$name"
mv "$work/$name" "$cache/$name"
echo "fetch: unpacked to third_party/.cache/$name"
