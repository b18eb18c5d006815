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
  const outOfMemory = `${what} was killed: out of memory (limit ${aboutBytes(limits.memory)}). Give it more in the settings, or make it need less; then deploy again.`
  const own: Record<number, string> = {
    [ended.noFolder]: `${repository} has no folder ${folder}. Name another one in the settings, then deploy again.`,
    [ended.leaves]: `The folder, the Dockerfile or the .dockerignore of ${repository} is a link that leads out of the repository, so nothing is built of it. Put the files themselves into it, then deploy again.`,
    [ended.noDockerfile]: `${repository} has no ${path}. Add it, or name another path in the settings; then deploy again.`,
    [ended.noRailpack]: `Building with Railpack needs it on ${server}, which does not have it. Install it there, or choose another way to build in the settings.`,
    [ended.noPlan]: `Railpack does not know how to build ${repository}; the log says why. Add a Dockerfile, then deploy again.`,
    [ended.diskFull]: whyNoSpace(server),
    [ended.outOfMemory]: outOfMemory,
    [ended.noLimits]: whyNoLimits(server),
    [ended.otherSyntax]: `The Dockerfile of ${repository} wants to be read by a program of its own choice (${lines.at(-1) ?? '# syntax'}), which need not keep to the limits of builds. Take that line out, or name docker/dockerfile:1; then deploy again.`,
    [ended.late]: `${what} was not through after ${limits.minutes} minutes on ${server} and was ended. Give it more time in the settings, or make it smaller; then deploy again.`,
  }
  const said = finish.why === 'ended' && code !== null ? own[code] : undefined
  if (said !== undefined) return said
  const [, , reader, reason] = noReader.exec(lines.join('\n')) ?? []
  if (reader && reason)
    return `The Dockerfile of ${repository} is to be read by ${reader}, which ${server} could not fetch: ${reason.replace(/\.?$/, '.')} Let it reach Docker Hub, or take the line that begins with # syntax out; then deploy again.`
  if (isKilled(finish, lines))
    return code === ended.metLimit
      ? outOfMemory
      : `${what} was killed on ${server}, most likely because its memory ran out (limit ${aboutBytes(limits.memory)}). Give the server more memory, or make the build need less; then deploy again.`
  return whyNotBuilt(finish, { server, lines, limits, what })
}

/** A program that reads Dockerfiles is fetched as an image; as BuildKit tells that it could not be. */
const noReader =
  /^#(\d+) resolve image config for (?:docker-image:\/\/)?docker\.io\/(docker\/dockerfile:\S+)$[^]*?^#\1 ERROR: (.*)$/m
