/** Lets so many through at once; the others wait in the order they came. */
export interface Turns {
  /** Resolves with the function that gives the place back. */
  take(signal?: AbortSignal): Promise<() => void>
  /** Whether whoever comes now has to wait. */
  full(): boolean
}

export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = []
  let taken = 0

  function place(): () => void {
    taken++
    let given = false
    return () => {
      if (given) return
      given = true
      taken--
      waiting.shift()?.()
    }
  }

  return {
    full: () => taken >= most,
    take(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (taken < most) return Promise.resolve(place())
      return new Promise((resolve, reject) => {
        const go = () => {
          signal?.removeEventListener('abort', leave)
          resolve(place())
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(go), 1)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(go)
      })
    },
  }
}
