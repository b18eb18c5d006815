/** Waits that somebody can end early. A ring while nobody waits ends the next wait at once. */
export interface Bell {
  ring(): void
  /** For one at a time. */
  wait(milliseconds?: number): Promise<void>
}

export function createBell(): Bell {
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
