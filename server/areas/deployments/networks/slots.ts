import type { Instance } from '../../applications/instance.ts'

/** Gives one slot of the proxy after the other, none of which any of these instances has. */
export function freeSlots(instances: readonly Pick<Instance, 'slot'>[]): () => number {
  const taken = new Set(instances.map(({ slot }) => slot))
  let next = 1
  return () => {
    while (taken.has(next)) next++
    taken.add(next)
    return next
  }
}
