import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { ServerRow } from '../../servers/server.ts'
import { buildLimits } from './build-limits.ts'
import type { SourceInput } from '../source-input.ts'
import { formatCount, formatList } from '../../../../contract/shared/format-list.ts'

export function buildSteps(
  server: Pick<ServerRow, 'name' | 'memory_bytes' | 'cpus'>,
  source: SourceInput,
): string[] {
  const { repository, branch, submodules, lfs } = source
  const more = [...(submodules ? ['submodules'] : []), ...(lfs ? ['Git LFS files'] : [])]
  const { memory, cpus, minutes } = buildLimits(server, source)
  return [
    `Fetch the latest commit on ${branch} of ${repository}${more.length > 0 ? ` with ${formatList(more)}` : ''} on ${server.name}.`,
    `Build the image ${madeBy(source)}, with limits of ${formatBytes(memory)} memory, ${formatCount(cpus, 'core')} and ${formatCount(minutes, 'minute')}.`,
  ]
}

export const buildWarnings = ({ repository, submodules }: SourceInput): string[] =>
  submodules
    ? [
        `With submodules, builds of ${repository} can read every repository of the account that Slipway has access to, and so can everyone who can push to it.`,
      ]
    : []

function madeBy({ builder, dockerfile, folder, generated }: SourceInput): string {
  const path = [folder, dockerfile || 'Dockerfile'].filter(Boolean).join('/')
  if (builder === 'railpack') return 'with Railpack'
  if (builder === 'generated')
    return generated === null ? 'with a generated Dockerfile' : 'with the edited Dockerfile'
  return builder === 'dockerfile'
    ? `with ${path}`
    : `with ${path}, or a generated Dockerfile if it is missing`
}
