import type { Id } from '../../../../contract/shared/ids.ts'
import type { Trx } from '../../../tables.ts'
import { findRelease, type Release } from '../../applications/release.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { claimPublished, writePublished } from './published.ts'

/** The ports that a compose file names are those of the release that takes the traffic. Others' are never taken. */
export async function publish(
  { ctx, application, server }: Attempt,
  trx: Trx,
  release: Pick<Release, 'config'>,
): Promise<void> {
  const ports = portsIn(release)
  if (!ports) return
  const [why] = await claimPublished(trx, server, application, ports)
  if (why) throw new Failed(why)
  await writePublished(ctx, trx, application, ports)
}

/** Those of what took the traffic before. */
export async function publishAsBefore(
  { ctx, application }: Attempt,
  trx: Trx,
  before: Id<'release'> | null,
): Promise<void> {
  if (application.compose_sealed === null) return
  const release = before && (await findRelease(trx, application.workspace_id, before))
  await writePublished(ctx, trx, application, (release && portsIn(release)) || [])
}

/** Nothing where ports are no part of a release. */
export const portsIn = ({ config }: Pick<Release, 'config'>) =>
  config.services?.flatMap(({ name, ports }) => ports.map((port) => ({ ...port, service: name })))
