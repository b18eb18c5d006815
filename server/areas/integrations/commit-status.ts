import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import { repositoryPath } from './repository.ts'
import { callAsInstallation, type RepositoryRef } from './installation-token.ts'

export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url: string
}

const maxDescriptionLength = 140

export async function setCommitStatus(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  sha: string,
  status: CommitStatus,
): Promise<void> {
  const { description } = status
  const short =
    description.length > maxDescriptionLength
      ? `${description.slice(0, maxDescriptionLength - 1)}…`
      : description
  const answer = await callAsInstallation(
    ctx,
    integration,
    { repository, permissions: { statuses: 'write' } },
    {
      method: 'POST',
      path: `${repositoryPath(repository)}/statuses/${encodeURIComponent(sha)}`,
      body: { ...status, description: short },
    },
  )
  await answer.body?.cancel()
}
