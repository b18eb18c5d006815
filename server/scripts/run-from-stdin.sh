# Runs a script that command.ts encoded from standard input, but only if all of it arrived. Uses only the shell, because
# a container may lack other programs.
_slipway_text='' _slipway_break='' _slipway_whole=''
while [ -z "$_slipway_whole" ] && IFS= read -r _slipway_line; do
  case $_slipway_line in
    .*) _slipway_text=$_slipway_text$_slipway_break${_slipway_line#.} ;;
    *) _slipway_whole=1 ;;
  esac
  _slipway_break='
'
done
[ -n "$_slipway_whole" ] || exit 255
exec </dev/null
eval "$_slipway_text"
