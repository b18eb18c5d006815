import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import { placeOf } from './repository.ts'
import { askAs, type KnownRepository } from './token.ts'

export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url: string
}

/** Maximum length of a status description. */
const mostOfDescription = 140

/** Sets the commit status at GitHub. */
export async function setStatus(
  ctx: Context,
  integration: Integration,
  repository: KnownRepository,
  sha: string,
  status: CommitStatus,
): Promise<void> {
  const { description } = status
  const short =
    description.length > mostOfDescription ? `${description.slice(0, mostOfDescription - 1)}…` : description
  const answer = await askAs(
    ctx,
    integration,
    { repository, permissions: { statuses: 'write' } },
    {
      method: 'POST',
      path: `${placeOf(repository)}/statuses/${encodeURIComponent(sha)}`,
      body: { ...status, description: short },
    },
  )
  await answer.body?.cancel()
}
