import type { Id } from '../../../contract/shared/ids.ts'

export const toServerTag = (madeFor: Id<'server'>) => `slipway-${madeFor}`

/** User tags may have the same prefix. Some providers change the case. */
const ours = /^slipway-(srv_[0-9a-z]{26})$/i

export const findTaggedServerId = (tags: string[]) =>
  tags.flatMap((tag) => ours.exec(tag)?.[1]?.toLowerCase() ?? [])[0] ?? null
