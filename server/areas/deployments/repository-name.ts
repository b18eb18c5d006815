import { Problem } from '../../errors.ts'
import { renameRepository } from '../applications/rename-repository.ts'
import { atGitHub } from './ask-ahead.ts'
import type { Attempt } from './attempt.ts'
import { patiently } from './resolve-commit.ts'
import { buildOf } from './source-work.ts'

/**
 * What the repository is called now, for git knows no numbers. While GitHub is away the name from before serves as well: the
 * token opens this one repository, and nothing but the very commit is taken.
 */
export async function nameNow(attempt: Attempt): Promise<string> {
  const { ctx, application } = attempt
  const build = buildOf(attempt)
  try {
    const { id, name } = await patiently(attempt, atGitHub(attempt).repository)
    if (name !== build.repository) await renameRepository(ctx.db, application.workspace_id, id, name)
    return name
  } catch (error) {
    if (error instanceof Problem && error.status >= 500) return build.repository
    throw error
  }
}
