# Removes a key from authorized_keys. Writes a copy and renames it, so that the file is never incomplete.
key=$1
file=$(readlink -f "$HOME/.ssh/authorized_keys") && [ -f "$file" ] || exit 0
umask 077
grep -vF -e "$key" "$file" > "$file.slipway"
if [ $? -le 1 ]; then mv "$file.slipway" "$file"; else rm -f "$file.slipway"; fi
