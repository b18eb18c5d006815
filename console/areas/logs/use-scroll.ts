import { type RefObject, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Rows } from './rows.ts'

export interface Scroll {
  follows: boolean
  /** Number of lines since the view stopped following the end. */
  news: number
  top: number
  height: number
  onScroll: () => void
  show: (number: number) => void
  toEnd: () => void
  redraw: () => void
}

const nearEnd = 4

/** Scrolls to new lines until the reader scrolls up. */
export function useScroll(box: RefObject<HTMLElement | null>, rows: Rows, startsAtEnd: boolean): Scroll {
  const [position] = useState(() => createScrollStore(rows, startsAtEnd))
  const { follows, number, below, leftAt } = useSyncExternalStore(position.subscribe, position.get)
  const height = useHeight(box)
  const last = useRef({ top: 0, height: 0 })
  const most = Math.max(0, rows.total - height)
  const top = follows ? most : Math.min(most, Math.max(0, rows.topOf(rows.indexOf(number)) - below))

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (Math.abs(element.scrollTop - top) > 1) element.scrollTo({ top })
    last.current = { top: element.scrollTop, height: element.clientHeight }
  })

  const onScroll = useCallback(() => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    const { top: before, height: known } = last.current
    // Only the reader’s scrolling counts, so ignore scrolling by this code or a resize.
    if (Math.abs(scrollTop - before) <= 1 || clientHeight !== known) return
    last.current = { top: scrollTop, height: known }
    const index = rows.indexAt(scrollTop)
    position.set({
      follows: scrollTop > before && scrollTop + clientHeight > scrollHeight - nearEnd,
      number: rows.numberAt(index),
      below: rows.topOf(index) - scrollTop,
    })
  }, [box, rows, position])

  return {
    follows,
    news: leftAt === undefined ? 0 : rows.count - rows.indexOf(leftAt),
    top,
    height,
    onScroll,
    show: (shown) => position.set({ follows: false, number: shown, below: height / 3 }),
    toEnd: () => position.set({ follows: true }),
    redraw: () => position.set({}),
  }
}

function useHeight(box: RefObject<HTMLElement | null>): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      const observer = new ResizeObserver(listener)
      if (box.current) observer.observe(box.current)
      return () => observer.disconnect()
    },
    [box],
  )
  return useSyncExternalStore(subscribe, () => box.current?.clientHeight ?? 0)
}

/** The view is anchored at the end of the log, or at line `number`, which starts `below` pixels from the top. */
interface ScrollState {
  follows: boolean
  number: number
  below: number
  /** Number after the last line when the view stopped following the end; undefined if it never stopped. */
  leftAt: number | undefined
}

interface ScrollStore {
  get: () => ScrollState
  set: (to: Partial<ScrollState>) => void
  subscribe: (listener: () => void) => () => void
}

/** Lines and scrolling change in one frame, and the first render must see both, which React state does not ensure. */
function createScrollStore(rows: Rows, follows: boolean): ScrollStore {
  const listeners = new Set<() => void>()
  let place: ScrollState = { follows, number: 0, below: 0, leftAt: undefined }
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
