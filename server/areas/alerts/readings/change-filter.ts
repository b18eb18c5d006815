/** Tells what is new of what is read again and again. The clock may be set back, so another time is new, not only a later one. */
export function createChangeFilter() {
  let before = new Map<string, number>()
  let now = new Map<string, number>()
  return {
    /** All there is comes now. Without it some of it does, and the rest is remembered. */
    begin() {
      now = new Map()
    },
    isNew(key: string, at: Date): boolean {
      const time = at.getTime()
      const isNew = before.get(key) !== time
      now.set(key, time)
      return isNew
    },
    /** What was not read this time is forgotten. */
    end() {
      before = now
    },
  }
}
