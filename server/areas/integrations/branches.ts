import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import { toRepositoryRef, contentsAccess, repositoryPath, type Repository } from './repository.ts'
import { readAllPages } from './installation-token.ts'

const answer = z.array(z.object({ name: z.string() }))

export async function listBranches(
  ctx: Context,
  integration: Integration,
  repository: Repository,
): Promise<string[]> {
  const one = toRepositoryRef(repository)
  const path = `${repositoryPath(one)}/branches?per_page=100`
  const all = await readAllPages(ctx, integration, contentsAccess(one), path, answer)
  const { default_branch: first } = repository
  const names = all.map((branch) => branch.name)
  return names.toSorted((one, other) => Number(other === first) - Number(one === first))
}
