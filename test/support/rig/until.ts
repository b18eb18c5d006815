import { setTimeout as sleep } from 'node:timers/promises'

/** Polls with a generous limit for busy machines. */
export async function until(otherwise: string, isSo: () => Promise<boolean>, seconds = 120): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${otherwise} within ${seconds} s.`)
    await sleep(20)
  }
}
