# Prints the ID of this machine, and creates it if necessary. If two setups run at once, the first one wins.
#
#   sh -c SCRIPT sh PROXY_FOLDER same|new
folder=$1 mode=$2
cd "$folder" 2>/dev/null || exit 44
[ "$mode" = same ] && [ -s machine ] || rm -f machine
[ -e machine ] || {
  new=$(mktemp .machine.XXXXXX) || exit
  od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n' > "$new" && ln "$new" machine 2>/dev/null
  rm -f "$new"
}
exec cat machine
