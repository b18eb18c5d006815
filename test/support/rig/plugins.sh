#!/usr/bin/env bash
# plugins.sh [SUITE]: prints the folder of Docker's plugins compose and buildx for this machine's Docker, which brings none, and
# of a newer engine in its folder engine, for servers whose Docker is upgraded. They are those of the next Debian, or of SUITE,
# from this machine's own mirror. The first call fetches them, which takes some seconds.
set -euo pipefail

suite=${1:-trixie}
cache=/var/cache/slipway-rig
folder=$cache/plugins-$suite-$(sha256sum "$0" | cut -c1-8)

# mirror_by OPTION…: of this machine's sources, with these options of apt.
mirror_by() { apt-get "$@" indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | sed -n 1p; }

fetch() {
  local mirror own=(-o Dir::State::lists="$PWD/own")
  mkdir -p own/partial lists/partial cache/archives/partial root plugins/engine
  # One whose lists were swept away, as in an image, knows no mirror until it has asked.
  mirror=$(mirror_by) || { apt-get -qq "${own[@]}" update && mirror=$(mirror_by "${own[@]}"); } || return 1
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > sources.list
  local apt=(apt-get -qq -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$PWD/lists"
    -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=1)
  "${apt[@]}" -o APT::Update::Error-Mode=any update &&
    "${apt[@]}" download docker-compose docker-buildx docker.io containerd || return 1
  for package in *.deb; do dpkg-deb -x "$package" root || return 1; done
  install -m 755 root/usr/libexec/docker/cli-plugins/docker-{compose,buildx} plugins &&
    find root/usr/{bin,sbin,libexec} -type f \
      \( -name dockerd -o -name docker-proxy -o -name containerd -o -name containerd-shim-runc-v2 \) \
      -exec install -m 755 -t plugins/engine {} +
}

if ! [ -d "$folder" ]; then
  mkdir -p "$cache"
  exec 9> "$cache/plugins-$suite.lock"
  flock 9
fi
if ! [ -d "$folder" ]; then
  # Those of an earlier version of this script, unless servers of another run may still use them.
  find "$cache" -maxdepth 1 -name 'plugins-*' ! -name '*.lock' -mtime +1 -exec rm -rf {} +
  for attempt in 1 2 3; do
    rm -rf "$folder.part" && mkdir "$folder.part"
    if (cd "$folder.part" && fetch) > "$cache/plugins.log" 2>&1; then break; fi
    [ "$attempt" -lt 3 ] || {
      cat "$cache/plugins.log"
      echo 'The servers of the tests need compose and buildx, which could not be fetched from the mirror of apt. See above why.'
      exit 1
    } >&2
    sleep 3
  done
  mv "$folder.part/plugins" "$folder"
  rm -rf "$folder.part"
fi
echo "$folder"
