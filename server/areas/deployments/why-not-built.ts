import type { Finish } from '../../remote/detached.ts'

interface Given {
  server: string
  /** All that was said. */
  lines: readonly string[]
  limitMinutes: number
}

/** A sentence that says what became of a build, and what to do. */
export function whyNotBuilt({ why, code }: Finish, { server, lines, limitMinutes }: Given): string {
  const service = lines.findLast((line) => begun.test(line))?.replace(begun, '$1') ?? ''
  const what = `The build of ${service || 'an image'}`
  const text = lines.join('\n')
  if (why === 'timed_out')
    return `${what} was not through after ${limitMinutes} minutes on ${server} and was ended. Make it smaller, or build it elsewhere and name its image.`
  if (why === 'vanished')
    return `${server} was restarted in the middle of building, and again when that was begun anew. Find out why it restarts, then deploy again.`
  if (why === 'cancelled') return `Somebody ended ${what.toLowerCase()} on ${server}. Deploy again.`
  if (noBuildx.test(text))
    return `Building needs Docker’s plugin buildx, which ${server} does not have in a version that fits. Install docker-buildx-plugin there, or set the server up again; then deploy again.`
  if (noGit.test(text))
    return `${what} needs git, which ${server} does not have. Install it there, then deploy again.`
  if (code === 137 || killed.test(text))
    return `${what} was killed on ${server}, most likely because its memory ran out. Give the server more memory, or build it elsewhere and name its image.`
  const said = lines.findLast((line) => failure.test(line))?.replace(failure, '')
  return `${what} failed on ${server}${said ? `: ${said.replace(/\.?$/, '.')}` : `; it ended with ${code}.`} Mend it, then deploy again.`
}

const begun = /^Building (.+)\.$/
const noBuildx = /buildx[^\n]*(or later|not found|is not a docker command|is missing|isn't)/i
const noGit = /exec: "git": executable file not found/i
const killed = /exit code: 137|signal: killed|cannot allocate memory/i
const failure = /^(?:ERROR: )?(?:target [^:]+: )?failed to solve: (?:rpc error: code = \w+ desc = )?/
