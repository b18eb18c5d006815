import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { Invalid, Problem } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { findIntegration } from '../integrations/integration.ts'
import { getBranchHead, getRepository, toRepositoryRef } from '../integrations/repository.ts'
import type { RepositoryRef } from '../integrations/installation-token.ts'
import type { NewApplication } from './plan-application.ts'
import type { FieldProblems } from './entries/ports.ts'
import { checkBuilder } from './host-access.ts'
import { toBuildConfig, findSource, insertSource, sourceColumns, updateSource } from './source.ts'
import type { ApplicationRow } from './application.ts'

export type SourceInput = Extract<NewApplication['source'], { type: 'github' }>

export async function findRepository(
  ctx: Context,
  { workspace }: Pick<Actor, 'workspace'>,
  input: SourceInput,
): Promise<RepositoryRef> {
  const integration = await findIntegration(ctx.db, workspace.id, input.integration_id)
  if (!integration)
    throw new Invalid({
      'source.integration_id': ['This account is not connected to the workspace. Connect it first.'],
    })
  const named = await atField('source.repository', () => getRepository(ctx, integration, input.repository))
  const repository = toRepositoryRef(named)
  await atField('source.branch', () => getBranchHead(ctx, integration, repository, input.branch))
  return repository
}

/** Reports missing repositories at their field; GitHub outages are not validation errors. */
async function atField<T>(field: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Problem && error.status === 404) throw new Invalid({ [field]: [error.message] })
    throw error
  }
}

export async function repositoryProblems(
  ctx: Context,
  actor: Actor,
  source: NewApplication['source'],
  asRoot: boolean,
): Promise<FieldProblems> {
  if (!('repository' in source)) return {}
  try {
    const repository = await findRepository(ctx, actor, source)
    checkBuilder(asRoot, { ...source, ...repository })
    return {}
  } catch (error) {
    if (error instanceof Invalid) return error.errors
    if (error instanceof Problem && error.status === 403) return { 'source.builder': [error.message] }
    if (error instanceof Problem) return { 'source.repository': [error.message] }
    throw error
  }
}

export const addSource = (
  ctx: Context,
  trx: Trx,
  { id, workspace_id }: Pick<ApplicationRow, 'id' | 'workspace_id'>,
  input: SourceInput,
  repository: RepositoryRef,
) =>
  insertSource(trx, {
    application_id: id,
    workspace_id,
    ...sourceColumns(ctx, id, toSource(input, repository)),
  })

export async function changeSource(
  ctx: Context,
  trx: Trx,
  asRoot: boolean,
  { id, workspace_id }: ApplicationRow,
  input: SourceInput,
  repository: RepositoryRef,
): Promise<string[]> {
  const row = await findSource(trx, workspace_id, id)
  checkBuilder(asRoot, { ...input, ...repository }, row)
  const before = new Map<string, unknown>(Object.entries(row ? { ...row, ...toBuildConfig(ctx, row) } : {}))
  const { type: _, ...named } = input
  const requested = { ...named, ...repository }
  const names = Object.entries(requested).flatMap(([name, value]) =>
    isDeepStrictEqual(value, before.get(name)) ? [] : [name],
  )
  if (names.length > 0) await updateSource(ctx, trx, workspace_id, id, toSource(input, repository))
  return names
}

function toSource(input: SourceInput, repository: RepositoryRef) {
  const { type: _, ...source } = input
  return { ...source, ...repository }
}
