import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { KeptAnswers } from '../../../platform/kept-answers.ts'
import { offLoop } from '../../../platform/off-loop.ts'
import { type Change, changesBetween } from './changes.ts'
import { type Configured, readConfigured } from '../config.ts'
import { configOf } from './frozen-config.ts'
import { listMoves } from './network-changes.ts'
import { composeOf, environmentOf, findRelease, type Release } from '../release.ts'
import type { ApplicationRow } from '../store.ts'

const compareOffLoop = offLoop(new URL('./changes.js', import.meta.url), 'changesBetween', changesBetween)

/** `changesBetween` without holding up the event loop while compose files are read. */
export const findChanges = async (
  workspaceId: Id<'workspace'>,
  from: Configured,
  to: Configured,
): Promise<Change[]> =>
  from.compose?.text === to.compose?.text
    ? changesBetween(from, to)
    : compareOffLoop(`reads of ${workspaceId}`, from, to)

/** By application, revision and release. */
const known = new KeptAnswers<boolean>(Infinity, 10_000)

/** Which of them are configured otherwise than what runs; one that was never deployed is not. */
export async function findChanged(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applications: ApplicationRow[],
): Promise<Set<Id<'application'>>> {
  const all: Id<'application'>[] = []
  // One after the other: only so many tasks of a workspace may wait for a worker thread.
  for (const one of applications) if (await isChanged(ctx, workspaceId, one)) all.push(one.id)
  const ids = applications.map(({ id }) => id)
  // Not kept with the rest: containers are moved to other networks by what is no change of the configuration, too.
  const moving = await listMoves(ctx.db, workspaceId, ids)
  return new Set([...all, ...moving.map(({ id }) => id)])
}

async function isChanged(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  application: ApplicationRow,
): Promise<boolean> {
  const { id, revision, release_id: release } = application
  if (release === null) return false
  const compare = async () => {
    const row = await findRelease(ctx.db, workspaceId, release)
    if (!row) return false
    const now = await readConfigured(ctx, ctx.db, application)
    return (await findChanges(workspaceId, configuredOf(ctx, row), now)).length > 0
  }
  return (await known.get(`${id} ${revision} ${release}`, compare, () => false)).value
}

/** What the containers of a release are made of. */
export function configuredOf(ctx: Pick<Context, 'secrets'>, release: Release): Configured {
  const { text, profiles } = composeOf(ctx, release) ?? {}
  return {
    config: configOf(ctx, 'releases', release),
    env: environmentOf(ctx, release),
    compose: text === undefined ? null : { text, profiles: profiles ?? [] },
  }
}
