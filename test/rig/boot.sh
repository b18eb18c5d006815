#!/usr/bin/env bash
# Runs first in a server's namespaces, as its process 1: builds its root over RIG_BASE, moves into it, and becomes its init.
set -euo pipefail

disk=$RIG_FOLDER/disk
mount --make-rprivate /
mount -o loop "$RIG_FOLDER/disk.img" "$disk"
mkdir -p "$disk"/{upper,work,root,docker,slipway,hidden}
mount -t overlay -o "lowerdir=$RIG_BASE,upperdir=$disk/upper,workdir=$disk/work" overlay "$disk/root"
cd "$disk/root"

mount -t proc proc proc
mount --rbind /dev dev
mount --rbind /sys sys
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
# Nothing of the developer's own shows in a server.
for place in root home work mnt srv media opt; do
  [ -d "$place" ] || continue
  mkdir -p "$disk/hidden/$place"
  mount --bind "$disk/hidden/$place" "$place"
done
# Docker's storage cannot lie on an overlay.
mkdir -p var/lib/docker run/sshd run/rig old
mount --bind "$disk/docker" var/lib/docker

if ! [ -e "$disk/booted" ]; then
  chmod 700 root
  rm -rf var/lib/slipway etc/ssh/ssh_host_* etc/ssh/sshd_config.d etc/docker
  cp "$RIG_FOLDER/hostkey" etc/ssh/ssh_host_ed25519_key
  cp "$RIG_FOLDER/hostkey.pub" etc/ssh/ssh_host_ed25519_key.pub
  echo "$RIG_NAME" > etc/hostname
  printf '127.0.0.1 localhost\n%s %s\n' "$RIG_ADDRESS" "$RIG_NAME" > etc/hosts
  cat > etc/ssh/sshd_config <<END
HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
MaxStartups 100:30:200
Subsystem sftp internal-sftp
END
  if [ "$RIG_BASE" = / ]; then
    mkdir -p etc/docker
    # Control groups are the machine's own: a parent for each server keeps them apart.
    cat > etc/docker/daemon.json <<END
{
  "insecure-registries": ["${RIG_ADDRESS%.*}.0/24"],
  "cgroup-parent": "/$RIG_NAME",
  "exec-opts": ["native.cgroupdriver=cgroupfs"],
  "features": { "buildkit": true }
}
END
  fi
  touch "$disk/booted"
fi

# Starts a daemon again soon after it ends, as systemd would, unless a test wants it to stay down.
cat > run/rig/init <<'END'
keep() {
  local daemon=$1
  shift
  while :; do
    [ -e "/run/rig/no-$daemon" ] || "$@" >> "/var/log/$daemon.log" 2>&1 || true
    sleep 0.2
  done
}
! hash dockerd 2> /dev/null || keep dockerd dockerd &
keep sshd /usr/sbin/sshd -D -e &
wait
END
hostname "$RIG_NAME"
pivot_root . old
umount -l /old
cd /
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb bash /run/rig/init
