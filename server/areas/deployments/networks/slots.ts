import type { Instance } from '../../applications/instance.ts'

/** Returns a function that hands out unused proxy slots. */
export function slotAllocator(instances: readonly Pick<Instance, 'slot'>[]): () => number {
  const taken = new Set(instances.map(({ slot }) => slot))
  let next = 1
  return () => {
    while (taken.has(next)) next++
    taken.add(next)
    return next
  }
}
