# Prints the ID of this machine, and creates it if necessary. If two setups run at once, the first one wins.
#
#   sh -c SCRIPT sh PROXY_FOLDER same|new
#
# Standard input is the last known ID, or an empty line.
folder=$1 mode=$2
cd "$folder" 2>/dev/null || exit 44
known=
read -r known
[ "$mode" = same ] && [ -s machine ] || rm -f machine
[ -e machine ] || {
  new=$(mktemp .machine.XXXXXX) || exit
  { [ -n "$known" ] && printf %s "$known" || od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; } > "$new" &&
    chmod 640 "$new" && ln "$new" machine 2>/dev/null
  rm -f "$new"
}
exec cat machine
