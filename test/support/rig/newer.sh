#!/usr/bin/env bash
# Prints the folder of the next Debian with its Docker 26.1, for servers that are newer than this machine. By hand:
#
#   RIG_SERVERS=$(test/support/rig/newer.sh) npx vitest run --no-file-parallelism server/areas/deployments/source/build-source.system.test.ts
#
# One file at a time: its Docker uses kinds of control groups that the servers of the rig share. The first call makes it, which
# takes two minutes and 700 MB.
set -euo pipefail

cache=/var/cache/slipway-rig
folder=$cache/trixie-$(sha256sum "$0" | cut -c1-8)
mkdir -p "$cache"
exec 9> "$cache/trixie.lock"
flock 9
if ! [ -d "$folder" ]; then
  rm -rf --one-file-system "$cache"/trixie-*[0-9a-f] "$cache"/trixie-*.part
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | sed -n 1p)
  debootstrap --variant=minbase --include=openssh-server,iproute2,iptables,ca-certificates,curl,procps,sudo,git,git-lfs,docker.io,docker-cli,docker-buildx,docker-compose \
    trixie "$folder.part" "${mirror:-http://deb.debian.org/debian}" >&2
  mv "$folder.part" "$folder"
fi
echo "$folder"
