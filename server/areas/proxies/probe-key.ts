import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'

/** Marks Slipway's own requests, which the proxy of the server does not count as traffic. */
export const probeKey = ({ secrets }: Pick<Context, 'secrets'>, serverId: Id<'server'>): string =>
  secrets.fingerprint(`probes of ${serverId}`)
