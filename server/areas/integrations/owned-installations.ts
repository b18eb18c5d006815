import { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, forbidden } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { GitHubRequestFailed, readGitHub } from '../auth/github-api.ts'
import { readAsInstallation } from './installation-token.ts'

const account = z.object({
  id: z.number(),
  login: z.string(),
  type: z.string(),
  avatar_url: z
    .string()
    .nullish()
    .transform((url) => url ?? null),
})
const installation = z.object({
  id: z.number(),
  account,
  repository_selection: z.enum(['all', 'selected']),
})
export type Installation = z.output<typeof installation>

const page = z.object({ installations: z.array(installation) })
const maxPages = 10

export async function listOwnedInstallations(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  proof: { token: string; installation: number | undefined },
): Promise<Installation[]> {
  const { value: person } = await readGitHub(ctx, { path: '/user', token: proof.token }, account)
  const visible = await listVisibleInstallations(ctx, proof.token)
  const candidates = visible.filter(({ id }) => proof.installation === undefined || id === proof.installation)
  if (candidates.length === 0)
    throw proof.installation === undefined
      ? conflict(
          'not_installed',
          `The GitHub App is not installed on any account of ${person.login}. Select Connect to install it.`,
        )
      : forbidden(
          `The GitHub user ${person.login} has no access to this installation, so the installation was not connected. Select Connect and choose one of your accounts.`,
        )
  const proofs = await Promise.all(
    candidates.map((candidate) => ownsInstallation(ctx, workspaceId, person, candidate)),
  )
  const owned = candidates.filter((_, index) => proofs[index])
  if (owned.length > 0) return owned
  const names = candidates.map((candidate) => candidate.account.login).join(', ')
  throw forbidden(
    `The GitHub user ${person.login} does not own ${names}, so ${candidates.length === 1 ? 'this account was' : 'these accounts were'} not connected. Ask an owner of the organization to connect ${candidates.length === 1 ? 'it' : 'them'}.`,
  )
}

async function listVisibleInstallations(ctx: Context, token: string): Promise<Installation[]> {
  const all: Installation[] = []
  let path: string | undefined = '/user/installations?per_page=100'
  for (let pages = 0; path && pages < maxPages; pages++) {
    const read: { value: z.output<typeof page>; next: string | undefined } = await readGitHub(
      ctx,
      { path, token },
      page,
    )
    all.push(...read.value.installations)
    path = read.next
  }
  return all
}

/** A recent installation does not prove ownership, because every member of the organization can see it. */
async function ownsInstallation(
  ctx: Context,
  workspace_id: Id<'workspace'>,
  person: z.output<typeof account>,
  { id: installation_id, account: owner }: Installation,
): Promise<boolean> {
  if (owner.id === person.id) return true
  const integration = {
    id: newId('integration'),
    workspace_id,
    installation_id,
    account: owner.login,
    status: 'active',
  } as const
  const path = `/orgs/${encodeURIComponent(owner.login)}/memberships/${encodeURIComponent(person.login)}`
  try {
    const { value } = await readAsInstallation(
      ctx,
      integration,
      { permissions: { members: 'read' } },
      { path },
      membership,
    )
    return value.state === 'active' && value.role === 'admin'
  } catch (error) {
    // GitHub hides some memberships, so an unknown membership counts as none.
    if (error instanceof GitHubRequestFailed && [403, 404].includes(error.answered)) return false
    throw error
  }
}

const membership = z.object({ state: z.string(), role: z.string() })
