import type { Instance } from '../instance.ts'

/** Returns the Docker name of a container, such as `shop-3-1-k2f9`. */
export const toContainerName = (
  { slug }: { slug: string },
  release: { number: number },
  { id, replica }: Pick<Instance, 'id' | 'replica'>,
) => `${slug}-${release.number}-${replica}-${id.slice(-4)}`
