/** Does the works of each one after the other, in the order in which they were asked for. */
export function createTurns() {
  /** The last one in the queue of each. */
  const queue = new Map<unknown, Promise<unknown>>()
  return <T>(of: unknown, work: () => Promise<T>): Promise<T> => {
    const mine: Promise<T> = after(queue.get(of), work).finally(() => {
      if (queue.get(of) === mine) queue.delete(of)
    })
    queue.set(of, mine)
    return mine
  }
}

async function after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  // How it ended is told to whoever asked for it.
  await before?.catch(() => {})
  return work()
}
