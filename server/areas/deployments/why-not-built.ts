import type { Finish } from '../../remote/detached.ts'
import { ended } from './source-guard.ts'

interface Given {
  server: string
  /** All that was said. */
  lines: readonly string[]
  limitMinutes: number
  /** What was built; a compose file’s services say it themselves. */
  what?: string
}

/** A sentence that says what became of a build, and what to do. */
export function whyNotBuilt(finish: Finish, { server, lines, limitMinutes, what: named }: Given): string {
  const { why, code } = finish
  const service = lines.findLast((line) => begun.test(line))?.replace(begun, '$1') ?? ''
  const what = named ?? `The build of ${service || 'an image'}`
  const text = lines.join('\n')
  if (code === ended.noTurn)
    return `${what} waited for hours for other builds on ${server}, and its turn did not come. Deploy again once they have ended.`
  if (why === 'timed_out' || code === ended.late)
    return `${what} was not through after ${limitMinutes} minutes on ${server} and was ended. Make it smaller, or build it elsewhere and name its image.`
  if (why === 'vanished')
    return `${server} was restarted in the middle of building, and again when that was begun anew. Find out why it restarts, then deploy again.`
  if (why === 'cancelled') return `Somebody ended ${what.toLowerCase()} on ${server}. Deploy again.`
  if (noBuildx.test(text)) return whyNoBuildx(server)
  if (noGit.test(text))
    return `${what} needs git, which ${server} does not have. Install it there, then deploy again.`
  if (isKilled(finish, lines))
    return `${what} was killed on ${server}, most likely because its memory ran out. Give the server more memory, or build it elsewhere and name its image.`
  const said = lines.findLast((line) => failure.test(line))?.replace(failure, '')
  return `${what} failed on ${server}${said ? `: ${said.replace(/\.?$/, '.')}` : `; it ended with ${code}.`} Mend it, then deploy again.`
}

export const whyNoBuildx = (server: string) =>
  `Building needs Docker’s plugin buildx, which ${server} does not have in a version that fits. Install docker-buildx-plugin there, or set the server up again; then deploy again.`

/** Whether something of it was killed, as far as its words tell. */
export const isKilled = ({ code }: Finish, lines: readonly string[]) =>
  code === 137 || lines.some((line) => killed.test(line))

const begun = /^Building (.+)\.$/
const noBuildx = /buildx[^\n]*(or later|not found|is not a docker command|is missing|isn't)/i
const noGit = /exec: "git": executable file not found/i
const killed =
  /exit code: 137|signal: (?:killed|SIGKILL|9)\b|\bSIGKILL\b|killed signal terminated|died of signal 9|cannot allocate memory|^#\d+ [\d.]+ (?:\S+: )?Killed$|heap out of memory/i
const failure = /^(?:ERROR: )?(?:target [^:]+: )?failed to solve: (?:rpc error: code = \w+ desc = )?/
