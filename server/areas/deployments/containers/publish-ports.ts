import type { Id } from '../../../../contract/shared/ids.ts'
import type { Trx } from '../../../tables.ts'
import { findRelease, type Release } from '../../applications/release.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { claimPublishedPorts, savePublishedPorts } from './published-ports.ts'

/** Publishes the ports of the release that goes live. Never takes ports of others. */
export async function publishPorts(
  { ctx, application, server }: DeploymentRun,
  trx: Trx,
  release: Pick<Release, 'config'>,
): Promise<void> {
  const ports = releasePorts(release)
  if (!ports) return
  const [why] = await claimPublishedPorts(trx, server, application, ports)
  if (why) throw new DeploymentFailed(why)
  await savePublishedPorts(ctx, trx, application, ports)
}

export async function restorePublishedPorts(
  { ctx, application }: DeploymentRun,
  trx: Trx,
  before: Id<'release'> | null,
): Promise<void> {
  if (application.compose_sealed === null) return
  const release = before && (await findRelease(trx, application.workspace_id, before))
  await savePublishedPorts(ctx, trx, application, (release && releasePorts(release)) || [])
}

/** Undefined for images, whose ports are not part of the release. */
export const releasePorts = ({ config }: Pick<Release, 'config'>) =>
  config.services?.flatMap(({ name, ports }) => ports.map((port) => ({ ...port, service: name })))
