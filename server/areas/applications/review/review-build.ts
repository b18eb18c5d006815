import { aboutBytes } from '../../../platform/text/bytes.ts'
import type { ServerRow } from '../../servers/server.ts'
import { buildLimits } from './build-limits.ts'
import type { GivenSource } from '../given-source.ts'

/** What deploying a repository does until its image is there, in order, as sentences. */
export function buildSteps(
  server: Pick<ServerRow, 'name' | 'memory_bytes' | 'cpus'>,
  source: GivenSource,
): string[] {
  const { repository, branch, submodules, lfs } = source
  const more = [...(submodules ? ['its submodules'] : []), ...(lfs ? ['its files of Git LFS'] : [])]
  const { memory, cpus, minutes } = buildLimits(server, source)
  return [
    `Fetch the newest commit on ${branch} of ${repository}${more.length > 0 ? ` with ${more.join(' and ')}` : ''} on ${server.name}.`,
    `Build its image there ${madeBy(source)}; that may take at most ${aboutBytes(memory)} of memory, ${cpus} ${cpus === 1 ? 'core' : 'cores'} and ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  ]
}

/** What may surprise somebody who lets others push. */
export const buildWarnings = ({ repository, submodules }: GivenSource): string[] =>
  submodules
    ? [
        `With submodules a build of ${repository} can read every repository of the account that Slipway may see, so whoever may push to it can read those as well.`,
      ]
    : []

function madeBy({ builder, dockerfile, folder, generated }: GivenSource): string {
  const path = [folder, dockerfile || 'Dockerfile'].filter(Boolean).join('/')
  if (builder === 'railpack') return 'with Railpack'
  if (builder === 'generated')
    return generated === null
      ? 'with a Dockerfile that is generated'
      : 'with the generated Dockerfile as you edited it'
  return builder === 'dockerfile'
    ? `with ${path}`
    : `with ${path}, or with a generated one where there is none`
}
