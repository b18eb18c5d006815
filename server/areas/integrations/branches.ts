import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import { known, ofContents, placeOf, type Repository } from './repository.ts'
import { readPages } from './token.ts'

const answer = z.array(z.object({ name: z.string() }))

export async function listBranches(
  ctx: Context,
  integration: Integration,
  repository: Repository,
): Promise<string[]> {
  const one = known(repository)
  const path = `${placeOf(one)}/branches?per_page=100`
  const all = await readPages(ctx, integration, ofContents(one), path, answer)
  const { default_branch: first } = repository
  const names = all.map((branch) => branch.name)
  return names.toSorted((one, other) => Number(other === first) - Number(one === first))
}
