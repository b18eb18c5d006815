# Prints process, inode and program of the sockets whose inodes are the arguments.
ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v sockets="$*" '
  BEGIN { n = split(sockets, list, " "); for (i = 1; i <= n; i++) wanted["socket:[" list[i] "]"] = list[i] }
  /^\/proc\// { split($1, part, "/"); pid = part[3] }
  $NF in wanted { print pid, wanted[$NF] }' | sort -u |
while read -r pid inode; do
  echo "$pid $inode $(tr -cd 'A-Za-z0-9._:/ -' < "/proc/$pid/comm" 2>/dev/null)"
done
