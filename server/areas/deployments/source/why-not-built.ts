import { aboutBytes } from '../../../platform/text/bytes.ts'
import type { Finish } from '../../../remote/detached.ts'
import type { BuildLimits } from '../../applications/review/build-limits.ts'
import { ended } from './source-guard.ts'

interface Given {
  server: string
  /** All that was said. */
  lines: readonly string[]
  limits: Pick<BuildLimits, 'memory' | 'minutes'>
  /** What was built; a compose file’s services say it themselves. */
  what?: string
}

/** A sentence that says what became of a build, and what to do. */
export function whyNotBuilt(finish: Finish, { server, lines, limits, what: named }: Given): string {
  const { why, code } = finish
  const service = lines.findLast((line) => begun.test(line))?.replace(begun, '$1') ?? ''
  const what = named ?? `The build of ${service || 'an image'}`
  const text = lines.join('\n')
  if (code === ended.noTurn)
    return `${what} waited for hours for other builds on ${server}, and its turn did not come. Deploy again once they have ended.`
  if (why === 'timed_out' || code === ended.late)
    return `${what} was not through after ${limits.minutes} minutes on ${server} and was ended. Make it smaller, or build it elsewhere and name its image.`
  if (why === 'vanished')
    return `${server} was restarted in the middle of building, and again when that was begun anew. Find out why it restarts, then deploy again.`
  if (why === 'cancelled') return `Somebody ended ${what.toLowerCase()} on ${server}. Deploy again.`
  if (noBuildx.test(text)) return whyNoBuildx(server)
  if (noGit.test(text))
    return `${what} needs git, which ${server} does not have. Install it there, then deploy again.`
  if (code === ended.diskFull) return whyNoSpace(server)
  if (code === ended.noLimits) return whyNoLimits(server)
  if (code === ended.outOfMemory || (code === ended.metLimit && isKilled(finish, lines)))
    return `${what} was killed on ${server}: out of memory (limit ${aboutBytes(limits.memory)}). Make it need less, or build it elsewhere and name its image.`
  if (isKilled(finish, lines))
    return `${what} was killed on ${server}, most likely because its memory ran out. Give the server more memory, or build it elsewhere and name its image.`
  const said = lines.findLast((line) => failure.test(line))?.replace(failure, '')
  if (said && noAccess.test(said))
    return `${what} failed on ${server}: ${said.replace(/\.?$/, '.')} Builds do not get the credentials of image registries: build on a public image, or pull this one to ${server} first; then deploy again.`
  return `${what} failed on ${server}${said ? `: ${said.replace(/\.?$/, '.')}` : `; it ended with ${code === ended.metLimit ? 1 : code}.`} Mend it, then deploy again.`
}

export const whyNoBuildx = (server: string) =>
  `Building needs Docker’s plugin buildx, which ${server} does not have in a version that fits. Install docker-buildx-plugin there, or set the server up again; then deploy again.`

export const whyNoSpace = (server: string) =>
  `The disk of ${server} is nearly full, so the build was ended. Free some space there, or give it a larger disk; then deploy again.`

export const whyNoLimits = (server: string) =>
  `What a build may take could not be limited on ${server}, so nothing is built there: a build without limits could take all of the server. See whether root may write to /sys/fs/cgroup there; then deploy again.`

/** Whether something of it was killed, as far as its words tell. */
export const isKilled = ({ code }: Finish, lines: readonly string[]) =>
  code === 137 || lines.some((line) => killed.test(line))

const begun = /^Building (.+)\.$/
const noBuildx = /buildx[^\n]*(or later|not found|is not a docker command|is missing|isn't)/i
const noGit = /exec: "git": executable file not found/i
const killed =
  /exit code: 137|signal: (?:killed|SIGKILL|9)\b|\bSIGKILL\b|killed signal terminated|died of signal 9|cannot allocate memory|^#\d+ [\d.]+ (?:\S+: )?Killed$|heap out of memory/i
/** An image that it stands on was not given to a stranger. */
const noAccess =
  /pull access denied|insufficient_scope|no basic auth credentials|authentication required|failed to authorize|failed to fetch (?:anonymous|oauth) token|\b(?:401 Unauthorized|403 Forbidden)\b/i
/** As buildx says it, and as an older Docker does by itself. */
const failure =
  /^(?:ERROR: )?(?:target [^:]+: )?(?:failed to solve(?: with frontend [^:]+)?: (?:failed to (?:create|solve) LLB[^:]*: )?(?:rpc error: code = \w+ desc = )?|(?=executor failed running ))/
