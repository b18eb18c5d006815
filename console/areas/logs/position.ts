import type { Rows } from './rows.ts'

/** What a view keeps in sight: the end as it moves on, or a line that stays where it is, this far below the top. */
interface Place {
  follows: boolean
  number: number
  below: number
  /** The number after the last line when the end was let go; undefined while it never was. */
  leftAt: number | undefined
}

export interface Position {
  get: () => Place
  set: (to: Partial<Place>) => void
  subscribe: (listener: () => void) => () => void
}

/** Outside of React's own state: lines and scrolling come in one frame, and whichever draws first has to know of both. */
export function createPosition(rows: Rows, follows: boolean): Position {
  const listeners = new Set<() => void>()
  let place: Place = { follows, number: 0, below: 0, leftAt: undefined }
  return {
    get: () => place,
    set(to) {
      const leftAt = place.follows ? rows.numberAt(rows.count - 1) + 1 : place.leftAt
      place = { ...place, leftAt, ...to }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
