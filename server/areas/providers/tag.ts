import type { Id } from '../../../contract/shared/ids.ts'

/** Where a cloud has tags that are one word: the one that says which server of ours it is. */
export const tagOf = (madeFor: Id<'server'>) => `slipway-${madeFor}`

/** People have tags of their own that begin like it. They are kept in another case here and there. */
const ours = /^slipway-(srv_[0-9a-z]{26})$/i

export const madeForOf = (tags: string[]) =>
  tags.flatMap((tag) => ours.exec(tag)?.[1]?.toLowerCase() ?? [])[0] ?? null
