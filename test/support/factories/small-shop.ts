import type { Insertable } from 'kysely'
import { sealCommand } from '../../../server/areas/applications/config.ts'
import type { Context } from '../../../server/context.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Tables } from '../../../server/tables.ts'
import { unique } from './factories.ts'

/** An application of `rig/busybox` that responds immediately and stops within a second. */
export function smallShop(
  ctx: Pick<Context, 'secrets'>,
  { command = ['httpd', '-f', '-p', '8080'], ...given }: SmallShop = {},
) {
  const id = newId('application')
  return {
    id,
    slug: unique('shop'),
    image: 'rig/busybox',
    command_sealed: sealCommand(ctx, id, command),
    port: 8080,
    health: JSON.stringify({ type: 'tcp', path: '/', within_seconds: 60 }),
    stop_grace_seconds: 1,
    ...given,
  }
}

type SmallShop = Partial<Insertable<Tables['applications']>> & { command?: string[] }
