import { type Command, command } from './command.ts'

/**
 * Run by sh: reads a text from standard input, then runs it as `sh -c` would, with nothing left to read. Everybody on a
 * server can read argument lists, and the text may hold a password. Constant, for dash, bash and busybox, and without other
 * programs, which a container may lack. A text that did not arrive whole is not run.
 */
export const stdinScript = String.raw`_slipway_text= _slipway_break= _slipway_whole=
while [ -z "$_slipway_whole" ] && IFS= read -r _slipway_line; do
  case $_slipway_line in
    .*) _slipway_text=$_slipway_text$_slipway_break${'$'}{_slipway_line#.} ;;
    *) _slipway_whole=1 ;;
  esac
  _slipway_break='
'
done
[ -n "$_slipway_whole" ] || exit 255
exec </dev/null
eval "$_slipway_text"`

/** The text as the script reads it: each line behind a dot, then one without. */
export const encodeScript = (text: string): string => `.${text.replaceAll('\n', '\n.')}\nend\n`

/** Detached work that has the shell of the server run a text which nobody else there can read. */
export const shellCommand = (text: string): Command => ({
  ...command('sh', '-c', stdinScript),
  input: encodeScript(text),
})
