/**
 * Detects changed timestamps. A different time counts as new, not only a later one, because the clock may be set back.
 */
export function createChangeFilter() {
  let before = new Map<string, number>()
  let now = new Map<string, number>()
  return {
    /** Starts a complete read. Without it, a read is partial and earlier entries are kept. */
    begin() {
      now = new Map()
    },
    isNew(key: string, at: Date): boolean {
      const time = at.getTime()
      const isNew = before.get(key) !== time
      now.set(key, time)
      return isNew
    },
    /** Drops entries that the complete read did not include. */
    end() {
      before = now
    },
  }
}
