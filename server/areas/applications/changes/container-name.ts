import type { Instance } from '../instance.ts'

/** What Docker calls the container of an instance: `shop-3-1-k2f9`. */
export const containerNameOf = (
  { slug }: { slug: string },
  release: { number: number },
  { id, replica }: Pick<Instance, 'id' | 'replica'>,
) => `${slug}-${release.number}-${replica}-${id.slice(-4)}`
