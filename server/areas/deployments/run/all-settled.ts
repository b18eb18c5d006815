/**
 * Waits for all promises, then throws the first error, so that no work is still running while it is reverted.
 */
export async function allSettledOrThrow(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
