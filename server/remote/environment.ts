/**
 * Variables go to a machine through standard input: an argument list can be read there by everybody, and sshd refuses
 * `env` requests. A line `=NAME=value` begins one, `+…` goes on after a line break, `.` ends them all. A line `<…` begins
 * what detached work gets on its own standard input.
 */
export function encodeEnvironment(env: Record<string, string> = {}, input?: string): string {
  const lines = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith('_slipway'))
      throw new Error(`“${name}” cannot be the name of a variable.`)
    return `=${name}=${linesOf(value, `The value of ${name}`)}`
  })
  if (input !== undefined) lines.push(`<${linesOf(input, 'The input of a program')}`)
  return `${lines.join('')}.\n`
}

function linesOf(value: string, what: string): string {
  if (value.includes('\0')) throw new Error(`${what} holds a NUL character.`)
  return `${value.replaceAll('\n', '\n+')}\n`
}

/**
 * Shell functions, constant. `take_env` reads the lines into numbered variables and fails when they stop halfway;
 * `give_env` exports them, but for the input, which is number 0. What was read is only ever a value: the words of `eval` are
 * made of a counter.
 */
export const environmentFunctions = String.raw`
take_env() {
  _slipway_n=0
  while IFS= read -r _slipway_line; do
    case $_slipway_line in
      =*) _slipway_n=$((_slipway_n + 1)); _slipway_at=$_slipway_n; _slipway_v=${'$'}{_slipway_line#=} ;;
      '<'*) _slipway_at=0; _slipway_v=${'$'}{_slipway_line#'<'} ;;
      +*) _slipway_v="$_slipway_v
${'$'}{_slipway_line#+}" ;;
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
`

/** Takes the variables, then becomes the program. */
export const runWithEnvironment = `${environmentFunctions}
take_env || exit 255
give_env
exec "$@"`
