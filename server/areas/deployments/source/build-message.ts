import type { BuildConfig } from '../../../tables.ts'
import type { Deployment } from '../run/deployment.ts'

export function buildMessage(
  { repository, branch }: Pick<BuildConfig, 'repository' | 'branch'>,
  commit: Deployment['commit'],
): string {
  if (!commit) return `Build ${repository} at ${branch}`
  const says = commit.message === '' ? '' : `: ${commit.message}`
  return `Build ${repository} at ${commit.sha.slice(0, 7)}${says}`
}
