# Replaces a file with standard input.
#
#   sh -c SCRIPT sh PATH MODE SIZE
#
# The size is checked before the rename, because a lost connection looks like the end of the content.
set -e
path=$1 mode=$2 size=$3
folder=$(dirname -- "$path")
mkdir -p -- "$folder"
new=$(mktemp "$folder/.slipway.XXXXXX")
trap 'rm -f -- "$new"' EXIT
cat >"$new"
[ "$(wc -c <"$new")" -eq "$size" ] || { echo 'the content is incomplete' >&2; exit 1; }
chmod "$mode" "$new"
[ ! -d "$path" ] || { echo 'a folder with this name exists' >&2; exit 1; }
mv -f -- "$new" "$path"
