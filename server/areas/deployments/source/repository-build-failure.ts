import { formatBytes } from '../../../platform/text/bytes.ts'
import type { DetachedResult } from '../../../remote/detached.ts'
import type { BuildConfig } from '../../../tables.ts'
import type { BuildLimits } from '../../applications/review/build-limits.ts'
import { exitCodes } from './source-guard.ts'
import { wasKilled, limitsUnavailableMessage, diskFullMessage, buildFailureMessage } from './build-failure.ts'

interface FailedRepositoryBuild {
  server: string
  build: Pick<BuildConfig, 'repository' | 'folder' | 'dockerfile'>
  limits: BuildLimits
  lines: readonly string[]
}

/** Explains why a repository build failed and what to do. */
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
  const said = finish.reason === 'ended' && code !== null ? own[code] : undefined
  if (said !== undefined) return said
  const [, , reader, reason] = noReader.exec(lines.join('\n')) ?? []
  if (reader && reason)
    return `${server} could not pull ${reader}, the frontend of the Dockerfile of ${repository}: ${reason.replace(/\.?$/, '.')} Make sure the server can reach Docker Hub, or remove the # syntax line; then deploy again.`
  if (wasKilled(finish, lines))
    return code === exitCodes.metLimit
      ? outOfMemory
      : `${what} was killed on ${server}, probably out of memory (limit ${formatBytes(limits.memory)}). Add memory to the server or reduce what the build needs, then deploy again.`
  return buildFailureMessage(finish, { server, lines, limits, what })
}

/** BuildKit pulls the Dockerfile frontend as an image; matches its pull error. */
const noReader =
  /^#(\d+) resolve image config for (?:docker-image:\/\/)?docker\.io\/(docker\/dockerfile:\S+)$[^]*?^#\1 ERROR: (.*)$/m
