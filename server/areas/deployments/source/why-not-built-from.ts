import { aboutBytes } from '../../../platform/text/bytes.ts'
import type { Finish } from '../../../remote/detached.ts'
import type { BuildConfig } from '../../../tables.ts'
import type { BuildLimits } from '../../applications/review/build-limits.ts'
import { ended } from './source-guard.ts'
import { isKilled, whyNoLimits, whyNoSpace, whyNotBuilt } from './why-not-built.ts'

interface Given {
  server: string
  build: Pick<BuildConfig, 'repository' | 'folder' | 'dockerfile'>
  limits: BuildLimits
  lines: readonly string[]
}

/** A sentence that says why no image was made of a repository, and what to do. */
export function whyNotBuiltFrom(finish: Finish, { server, build, limits, lines }: Given): string {
  const { repository, folder, dockerfile } = build
  const what = `The build of ${repository}`
  const path = [folder, dockerfile || 'Dockerfile'].filter(Boolean).join('/')
  const { code } = finish
  const outOfMemory = `${what} ran out of memory (limit ${aboutBytes(limits.memory)}). Raise the build memory in the settings, then deploy again.`
  const own: Record<number, string> = {
    [ended.noFolder]: `${repository} has no folder ${folder}. Change the folder in the settings, then deploy again.`,
    [ended.leaves]: `The folder, Dockerfile or .dockerignore of ${repository} is a symlink to a place outside the repository. Replace it with the file itself, then deploy again.`,
    [ended.noDockerfile]: `${repository} has no ${path}. Add it, or change the path in the settings; then deploy again.`,
    [ended.noRailpack]: `Railpack is not installed on ${server}. Install it, or choose another builder in the settings; then deploy again.`,
    [ended.noPlan]: `Railpack cannot build ${repository}; see the log. Add a Dockerfile, then deploy again.`,
    [ended.diskFull]: whyNoSpace(server),
    [ended.outOfMemory]: outOfMemory,
    [ended.noLimits]: whyNoLimits(server),
    [ended.otherSyntax]: `The Dockerfile of ${repository} uses a custom frontend (${lines.at(-1) ?? '# syntax'}), which could bypass the build limits. Remove that line, or use docker/dockerfile:1; then deploy again.`,
    [ended.late]: `${what} timed out after ${limits.minutes} minutes on ${server}. Raise the build timeout in the settings, then deploy again.`,
  }
  const said = finish.why === 'ended' && code !== null ? own[code] : undefined
  if (said !== undefined) return said
  const [, , reader, reason] = noReader.exec(lines.join('\n')) ?? []
  if (reader && reason)
    return `${server} could not pull ${reader}, the frontend of the Dockerfile of ${repository}: ${reason.replace(/\.?$/, '.')} Make sure the server can reach Docker Hub, or remove the # syntax line; then deploy again.`
  if (isKilled(finish, lines))
    return code === ended.metLimit
      ? outOfMemory
      : `${what} was killed on ${server}, probably out of memory (limit ${aboutBytes(limits.memory)}). Add memory to the server or reduce what the build needs, then deploy again.`
  return whyNotBuilt(finish, { server, lines, limits, what })
}

/** A program that reads Dockerfiles is fetched as an image; as BuildKit tells that it could not be. */
const noReader =
  /^#(\d+) resolve image config for (?:docker-image:\/\/)?docker\.io\/(docker\/dockerfile:\S+)$[^]*?^#\1 ERROR: (.*)$/m
