import type { Insertable } from 'kysely'
import type { Tables } from '../server/tables.ts'
import { unique } from './factories.ts'

/** An application of `rig/busybox` that answers at once and is stopped in a second, for `makeApplication`. */
export const smallShop = (given: Partial<Insertable<Tables['applications']>> = {}) => ({
  slug: unique('shop'),
  image: 'rig/busybox',
  command: ['httpd', '-f', '-p', '8080'],
  port: 8080,
  health: JSON.stringify({ type: 'tcp', path: '/', within_seconds: 60 }),
  stop_seconds: 1,
  ...given,
})
