# Prints one block of metrics every ten seconds, each followed by a line with a dot, until its output is closed. The
# second block comes after one second, so that rates are available soon. The third comes after PAUSE_SECONDS, which differ
# between servers, so that they do not all report at the same moment. Runs in dash, bash and busybox, and forks little.
#
#   sh -c SCRIPT slipway-metrics PAUSE_SECONDS
export LC_ALL=C
read_metrics() {
  read -r line </proc/stat && echo "$line"
  read -r line </proc/loadavg && echo "load $line"
  read -r line </proc/uptime && echo "uptime $line"
  while read -r line; do
    case $line in
      MemTotal:* | MemAvailable:*) echo "$line" ;;
      Active:*) break ;;
    esac
  done </proc/meminfo
  grep -vE '^ *(lo|docker|veth|br-)' /proc/net/dev
  df -kP / | while read -r line; do echo "disk $line"; done
}
# Prints a block in one write, so that it is sent as one packet.
print_block() {
  printf '%s\n.\n' "$(read_metrics)" || exit
}
# sleep does not inherit the output, so that the channel closes as soon as this shell ends.
pause() {
  sleep "$1" >/dev/null 2>&1
}
print_block
pause 1
print_block
pause "$1"
while :; do
  print_block
  pause 10
done
