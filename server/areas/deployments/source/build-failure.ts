import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { DetachedResult } from '../../../remote/detached.ts'
import type { BuildConfig } from '../../../tables.ts'
import type { BuildLimits } from '../../applications/source.ts'
import { exitCodes } from './source-work.ts'

interface FailedBuild {
  server: string
  lines: readonly string[]
  limits: Pick<BuildLimits, 'memory' | 'minutes'>
  what?: string
}

export function buildFailureMessage(
  finish: DetachedResult,
  { server, lines, limits, what: named }: FailedBuild,
): string {
  const { reason, code } = finish
  const service = lines.findLast((line) => begun.test(line))?.replace(begun, '$1') ?? ''
  const what = named ?? `The build of ${service || 'an image'}`
  const text = lines.join('\n')
  if (code === exitCodes.noTurn)
    return `${what} timed out waiting for other builds on ${server}. Deploy again when they are done.`
  if (reason === 'timed_out' || code === exitCodes.late)
    return `${what} timed out after ${limits.minutes} minutes on ${server}. Make the build faster, or build the image elsewhere and deploy that image.`
  if (reason === 'vanished') return `${server} was restarted during the build. Deploy again.`
  if (reason === 'cancelled') return `${what} was canceled on ${server}. Deploy again.`
  if (noBuildx.test(text)) return buildxMissingMessage(server)
  if (noGit.test(text))
    return `${what} needs git, which is not installed on ${server}. Install it, then deploy again.`
  if (code === exitCodes.diskFull) return diskFullMessage(server)
  if (code === exitCodes.noLimits) return limitsUnavailableMessage(server)
  if (code === exitCodes.outOfMemory || (code === exitCodes.metLimit && wasKilled(finish, lines)))
    return `${what} ran out of memory on ${server} (limit ${formatBytes(limits.memory)}). Reduce the memory that the build needs, or build the image elsewhere and deploy that image.`
  if (wasKilled(finish, lines))
    return `${what} was killed on ${server}, probably because it ran out of memory. Add memory to the server, or build the image elsewhere and deploy that image.`
  const failureLine = lines.findLast((line) => failure.test(line))?.replace(failure, '')
  if (failureLine && noAccess.test(failureLine))
    return `${what} failed on ${server}: ${failureLine.replace(/\.?$/, '.')} Builds do not use registry credentials: use a public base image, or pull this one on ${server} first; then deploy again.`
  return `${what} failed on ${server}${failureLine ? `: ${failureLine.replace(/\.?$/, '.')}` : ` with exit code ${code === exitCodes.metLimit ? 1 : code}.`} Fix the build, then deploy again.`
}

export const buildxMissingMessage = (server: string) =>
  `Docker buildx on ${server} is missing or too old. Install docker-buildx-plugin or run setup again, then deploy again.`

const diskFullMessage = (server: string) =>
  `The build was stopped: the disk of ${server} is almost full. Free up space or add disk space, then deploy again.`

const limitsUnavailableMessage = (server: string) =>
  `Slipway could not set resource limits for builds on ${server}, so it did not start the build. Make sure root can write to /sys/fs/cgroup, then deploy again.`

const wasKilled = ({ code }: DetachedResult, lines: readonly string[]) =>
  code === 137 || lines.some((line) => killed.test(line))

const begun = /^Building ([\w.-]+)$/
const noBuildx = /buildx[^\n]*(or later|not found|is not a docker command|is missing|isn't)/i
const noGit = /exec: "git": executable file not found/i
const killed =
  /exit code: 137|signal: (?:killed|SIGKILL|9)\b|\bSIGKILL\b|killed signal terminated|died of signal 9|cannot allocate memory|^#\d+ [\d.]+ (?:\S+: )?Killed$|heap out of memory/i
const noAccess =
  /pull access denied|insufficient_scope|no basic auth credentials|authentication required|failed to authorize|failed to fetch (?:anonymous|oauth) token|\b(?:401 Unauthorized|403 Forbidden)\b/i
const failure =
  /^(?:ERROR: )?(?:target [^:]+: )?(?:failed to solve(?: with frontend [^:]+)?: (?:failed to (?:create|solve) LLB[^:]*: )?(?:rpc error: code = \w+ desc = )?|(?=executor failed running ))/

interface FailedRepositoryBuild {
  server: string
  build: Pick<BuildConfig, 'repository' | 'folder' | 'dockerfile'>
  limits: BuildLimits
  lines: readonly string[]
}

export function repositoryBuildFailureMessage(
  finish: DetachedResult,
  { server, build, limits, lines }: FailedRepositoryBuild,
): string {
  const { repository, folder, dockerfile } = build
  const what = `The build of ${repository}`
  const path = [folder, dockerfile || 'Dockerfile'].filter(Boolean).join('/')
  const { code } = finish
  const outOfMemory = `${what} ran out of memory (limit ${formatBytes(limits.memory)}). Raise the build memory in the settings, then deploy again.`
  const own: Record<number, string> = {
    [exitCodes.noFolder]: `${repository} has no folder ${folder}. Change the folder in the settings, then deploy again.`,
    [exitCodes.leaves]: `The folder, Dockerfile or .dockerignore of ${repository} is a symlink to a place outside the repository. Replace it with the file itself, then deploy again.`,
    [exitCodes.noDockerfile]: `${repository} has no ${path}. Add it, or change the path in the settings; then deploy again.`,
    [exitCodes.noRailpack]: `Railpack is not installed on ${server}. Install it, or choose another builder in the settings; then deploy again.`,
    [exitCodes.noPlan]: `Railpack cannot build ${repository}; see the log. Add a Dockerfile, then deploy again.`,
    [exitCodes.diskFull]: diskFullMessage(server),
    [exitCodes.outOfMemory]: outOfMemory,
    [exitCodes.noLimits]: limitsUnavailableMessage(server),
    [exitCodes.otherSyntax]: `The Dockerfile of ${repository} uses a custom frontend (${lines.at(-1) ?? '# syntax'}), which could bypass the build limits. Remove that line, or use docker/dockerfile:1; then deploy again.`,
    [exitCodes.late]: `${what} timed out after ${limits.minutes} minutes on ${server}. Raise the build timeout in the settings, then deploy again.`,
  }
  const explanation = finish.reason === 'ended' && code !== null ? own[code] : undefined
  if (explanation !== undefined) return explanation
  const [, , reader, reason] = noReader.exec(lines.join('\n')) ?? []
  if (reader && reason)
    return `${server} could not pull ${reader}, the Dockerfile frontend of ${repository}: ${reason.replace(/\.?$/, '.')} Make sure the server can reach Docker Hub, or remove the # syntax line; then deploy again.`
  if (wasKilled(finish, lines))
    return code === exitCodes.metLimit
      ? outOfMemory
      : `${what} was killed on ${server}, probably because it ran out of memory (limit ${formatBytes(limits.memory)}). Add memory to the server or reduce the memory that the build needs, then deploy again.`
  return buildFailureMessage(finish, { server, lines, limits, what })
}

/** BuildKit pulls the Dockerfile frontend as an image; matches its pull error. */
const noReader =
  /^#(\d+) resolve image config for (?:docker-image:\/\/)?docker\.io\/(docker\/dockerfile:\S+)$[^]*?^#\1 ERROR: (.*)$/m

interface FailedFetch {
  server: string
  repository: string
  sha: string
  lines: readonly string[]
  minutes: number
  memory: number
}

export function fetchFailureMessage({ reason, code }: DetachedResult, given: FailedFetch): string {
  const { server, repository, sha, lines, minutes, memory } = given
  const what = `${repository} at ${sha.slice(0, 7)}`
  const text = lines.join('\n')
  if (reason === 'timed_out' || code === exitCodes.late)
    return `Fetching ${what} on ${server} timed out after ${minutes} minutes. Check the connection from the server to GitHub, or make the repository smaller; then deploy again.`
  if (reason === 'vanished') return `${server} was restarted while fetching ${what}. Deploy again.`
  if (reason === 'cancelled') return `Fetching ${what} was canceled on ${server}. Deploy again.`
  if (code === exitCodes.noGit) return `git is not installed on ${server}. Install it, then deploy again.`
  if (code === exitCodes.noLfs)
    return `git-lfs is not installed on ${server}. Install it, or turn off Git LFS in the settings; then deploy again.`
  if (code === exitCodes.diskFull || /no space left on device/i.test(text))
    return `Fetching ${what} was stopped: the disk of ${server} is almost full. Free up space or add disk space, then deploy again.`
  if (fetchUnkept.test(text))
    return `A Git LFS file of ${what} is missing on GitHub. Push it with \`git lfs push --all origin\`, then deploy again.`
  if (fetchGone.test(text))
    return `Commit ${sha.slice(0, 7)} no longer exists in ${repository}: it was replaced by a force push. Deploy again to build the latest commit.`
  if (fetchHidden.test(text))
    return `Slipway has no access to ${repository} on GitHub. Grant it access to the repository and its submodules, then deploy again.`
  if (fetchKilled.test(text))
    return `git was killed on ${server} while fetching ${what}, probably because it ran out of memory (limit ${formatBytes(memory)}). Raise the build memory in the settings, or make the repository smaller; then deploy again.`
  const failureLine = lines.findLast((line) => fetchFailure.test(line))?.replace(fetchFailure, '')
  return `Fetching ${what} failed on ${server}${failureLine ? `: ${failureLine.replace(/\.?$/, '.')}` : ` with exit code ${code}.`} Check that the server can reach GitHub, then deploy again.`
}

const fetchUnkept = /object does not exist on the server/i
const fetchGone = /not our ref|unadvertised object|bad object|reference is not a tree/i
const fetchHidden =
  /repository not found|repository '[^']*' not found|authentication failed|could not read username|returned error: 40[13]/i
const fetchKilled = /died of signal 9|^killed$/im
const fetchFailure = /^(?:fatal|error|remote): /
