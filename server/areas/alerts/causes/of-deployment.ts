import type { Context } from '../../../context.ts'
import { findRelease } from '../../applications/release.ts'
import { getDeploymentRow } from '../../deployments/deployment.ts'
import { errorsOf } from '../../deployments/sealed-errors.ts'
import { readLastLines } from '../../outputs/output.ts'
import type { About } from '../about.ts'
import { learnSecrets } from '../learn-secrets.ts'
import type { Gathering } from './gathering.ts'

/** As many as a message shows. */
const lines = 10

/** Where it failed and why, what it said last, and whose it is. */
export async function ofDeployment(
  ctx: Context,
  { subject, reading }: About,
  gathering: Gathering,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  if (!reading.deployment_id) return
  const row = await getDeploymentRow(ctx.db, workspaceId, reading.deployment_id)
  const release = row.release_id ? await findRelease(ctx.db, workspaceId, row.release_id) : undefined
  await learnSecrets(ctx, ctx.db, subject, gathering, release)
  const [error, ...said] = errorsOf(ctx, row)
  gathering.fact('Error', error)
  gathering.fact('Step', row.steps.find(({ status }) => status === 'failed')?.name)
  gathering.fact('Deployment', row.message)
  gathering.fact('Asked by', row.actor_name)
  gathering.fact('Commit', row.commit && `${row.commit.sha.slice(0, 7)} ${row.commit.message}`)
  gathering.fact('Image', row.tag ?? release?.image)
  gathering.fact('Server', row.server_name)
  // What the container said that it failed by, where there is one; else what the deployment did last.
  gathering.hear(said.length > 0 ? said : await readLastLines(ctx, ctx.db, workspaceId, row.id, lines))
}
