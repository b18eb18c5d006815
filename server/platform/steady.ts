import { setTimeout as sleep } from 'node:timers/promises'

/** Takes at least so long, whatever happens inside: the time tells nothing of what was found. */
export async function steady<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const floor = sleep(milliseconds)
  try {
    return await work()
  } finally {
    await floor
  }
}
