# take_env reads the lines that environment.ts encodes into numbered variables, and fails when they stop halfway.
# give_env exports them, except the input, which has number 0. eval receives only counters, never a value.
take_env() {
  _slipway_n=0
  while IFS= read -r _slipway_line; do
    case $_slipway_line in
      =*) _slipway_n=$((_slipway_n + 1)); _slipway_at=$_slipway_n; _slipway_v=${_slipway_line#=} ;;
      '<'*) _slipway_at=0; _slipway_v=${_slipway_line#'<'} ;;
      +*) _slipway_v="$_slipway_v
${_slipway_line#+}" ;;
      *) return 0 ;;
    esac
    eval "_slipway_v$_slipway_at=\$_slipway_v"
  done
  return 1
}
give_env() {
  _slipway_i=0
  while [ "$_slipway_i" -lt "$_slipway_n" ]; do
    _slipway_i=$((_slipway_i + 1))
    eval "export \"\$_slipway_v$_slipway_i\""
  done
}
