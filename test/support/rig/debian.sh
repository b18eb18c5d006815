#!/usr/bin/env bash
# Prints the folder of a bare Debian: what a new server has on it, without Docker, git or sudo. The first call makes it, which
# takes a minute; not below /tmp, where old files are swept away one by one.
set -euo pipefail

cache=/var/cache/slipway-rig
folder=$cache/bookworm-$(sha256sum "$0" | cut -c1-8)
mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9
if ! [ -d "$folder" ]; then
  # Those of an earlier version of this script, and what an interrupted one left.
  rm -rf --one-file-system "$cache"/bookworm-*
  # This machine's own mirror where it is a Debian of that version, with what its apt needs to reach it.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -1)
  debootstrap --variant=minbase --include=openssh-server,iproute2,ca-certificates,curl,procps \
    bookworm "$folder.part" "${mirror:-http://deb.debian.org/debian}" >&2
  cd "$folder.part"
  if [ -n "$mirror" ]; then
    rm -f etc/apt/sources.list
    cp -r /etc/apt/sources.list* etc/apt/
    grep -l ^Acquire /etc/apt/apt.conf.d/* | xargs -r cp -t etc/apt/apt.conf.d
  fi
  # What has not been asked for yet is not known on a new server either.
  rm -rf var/lib/apt/lists/* var/cache/apt/*.bin var/cache/apt/archives/*.deb
  mv "$folder.part" "$folder"
fi
echo "$folder"
