# include detached/state.sh

# Waits until the process has started.
n=0
while read_state; [ -e "$work.state" ] && [ "$state" != running ] && [ "$state" != ended ] && [ "$n" -lt 50 ]; do
  n=$((n + 1))
  sleep 0.1 || sleep 1
done
if [ "$state" = running ] && is_alive; then
  : >"$work.cancel"
  stop_group "$state_group" "$state_sudo"
fi
:
