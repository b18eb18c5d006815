# The process is stopped first, because it would write to deleted files.
# include detached/cancel.sh
n=0
while read_state; [ "$state" = running ] && is_alive && [ "$n" -lt 50 ]; do
  n=$((n + 1))
  sleep 0.1 || sleep 1
done
rm -f "$work".*
