/** Fails if one of them does, but not before all have come to their end: nothing is still done while it is being undone. */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
