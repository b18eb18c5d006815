# Prints system information. Uses only programs that exist on every system that Docker supports.
printf 'os=%s\n' "$(. /etc/os-release 2> /dev/null && printf %s "$PRETTY_NAME")"
printf 'architecture=%s\n' "$(uname -m)"
printf 'cpus=%s\n' "$(getconf _NPROCESSORS_ONLN 2> /dev/null || nproc)"
printf 'memory=%s\n' "$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)"
printf 'disk=%s\n' "$(df -Pk / | awk 'NR == 2 { print $2 }')"
