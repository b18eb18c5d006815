/** Ends a wait early. A ring while nothing waits is not lost: it ends the next wait. */
export interface WakeSignal {
  ring(): void
  wait(milliseconds?: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let rung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(milliseconds) {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      rung = false
      wake = undefined
    },
  }
}
