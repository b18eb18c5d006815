import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LogEntry, toLogLine } from './log-entry.ts'
import { createLogStore } from './log-store.ts'
import { createRows } from '../rows.ts'
import { createLineFilter, nextHit } from '../search/line-filter.ts'

let frames: (() => void)[] = []
const drawFrame = () => frames.splice(0).forEach((frame) => frame())
beforeEach(() => {
  frames = []
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
})
afterEach(() => void vi.unstubAllGlobals())

const line = (text: string) => toLogLine({ stream: 'stdout', text })
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => line(`line ${from + index}`))
const note: LogEntry = { kind: 'note', text: 'The container stopped.' }
const few = { lines: 100, characters: 10_000 }
const textsOf = (store: ReturnType<typeof createLogStore>) =>
  Array.from({ length: store.end - store.first }, (_, index) => store.get(store.first + index)?.text)

describe('a log', () => {
  it('keeps the last lines with their numbers', () => {
    const store = createLogStore(few)
    store.add(lines(90))
    expect([store.first, store.end, store.before]).toEqual([0, 90, 'all'])
    store.add(lines(90, 90))
    expect([store.end, store.before]).toEqual([180, 'dropped'])
    expect(store.end - store.first).toBeGreaterThan(90)
    expect(store.end - store.first).toBeLessThanOrEqual(100)
    expect(store.get(150)?.text).toBe('line 150')
    expect(store.get(store.first - 1)).toBeUndefined()
  })

  it('counts lines without notes', () => {
    const store = createLogStore(few)
    store.add([note, ...lines(2)])
    expect([store.lines, store.characters]).toEqual([2, note.text.length + 12])
    store.pause()
    store.add([note, ...lines(3)])
    expect(store.held).toBe(3)
    store.resume()
    store.add(lines(300))
    expect(store.lines).toBe(store.end - store.first)
    store.clear()
    expect([store.lines, store.characters]).toEqual([0, 0])
  })

  it('keeps fewer long lines', () => {
    const store = createLogStore(few)
    for (let count = 0; count < 50; count++) store.add([line('x'.repeat(1000))])
    expect(store.end - store.first).toBeLessThanOrEqual(10)
    expect(store.end).toBe(50)
  })

  it('notifies once per frame', () => {
    const store = createLogStore()
    const listener = vi.fn<() => void>()
    const forget = store.subscribe(listener)
    store.add(lines(1))
    store.add(lines(1))
    expect(listener).not.toHaveBeenCalled()
    drawFrame()
    expect(listener).toHaveBeenCalledOnce()
    forget()
    store.add(lines(1))
    drawFrame()
    expect(listener).toHaveBeenCalledOnce()
  })

  it('does not change while paused, and then catches up', () => {
    const store = createLogStore(few)
    store.add(lines(2))
    store.pause()
    store.add(lines(3, 2))
    expect([store.paused, store.held, store.end]).toEqual([true, 3, 2])
    store.resume()
    expect([store.paused, store.held]).toEqual([false, 0])
    expect(textsOf(store)).toEqual(['line 0', 'line 1', 'line 2', 'line 3', 'line 4'])
  })

  it('limits lines during a pause and reports what it skipped', () => {
    const store = createLogStore({ lines: 1000, characters: 1e6 }, few)
    store.pause()
    store.add(lines(150))
    expect(store.held).toBe(150)
    store.resume()
    const [note, ...rest] = textsOf(store)
    expect(rest.at(-1)).toBe('line 149')
    expect(note).toBe(`${150 - rest.length} lines were skipped while the log was paused.`)
  })

  it('can be cleared and continues numbering', () => {
    const store = createLogStore()
    store.add(lines(5))
    store.clear()
    store.add(lines(1, 5))
    expect([store.first, store.end, store.before, store.get(5)?.text]).toEqual([5, 6, 'cleared', 'line 5'])
  })
})

describe('the rows of a log', () => {
  const filled = (...entries: LogEntry[]) => {
    const store = createLogStore(few)
    store.add(entries)
    return store
  }
  const numbers = (rows: ReturnType<typeof createRows>) =>
    Array.from({ length: rows.count }, (_, index) => rows.numberAt(index))
  const errors = { levels: new Set(['error']), query: undefined }
  const options = { onlyHits: false, columns: undefined }
  const all = { levels: undefined, query: undefined }

  it('contain all lines, or those of selected levels with their notes', () => {
    const store = filled(line('a'), line('ERROR b'), note, line('INFO c'), line('ERROR d'))
    const rows = createRows(store)
    const everything = createLineFilter(store, all, () => undefined)
    rows.update(everything, options)
    expect(numbers(rows)).toEqual([0, 1, 2, 3, 4])
    const some = createLineFilter(store, errors, () => undefined)
    some.update()
    rows.update(some, options)
    expect(numbers(rows)).toEqual([1, 2, 4])
    store.add([line('ERROR e')])
    some.update()
    rows.update(some, options)
    expect(numbers(rows)).toEqual([1, 2, 4, 5])
    expect([rows.indexOf(4), rows.indexOf(3), rows.total]).toEqual([2, 2, 80])
  })

  it('keep their numbers when older ones are dropped', () => {
    const store = filled(...lines(90))
    const rows = createRows(store)
    const lineFilter = createLineFilter(store, all, () => undefined)
    rows.update(lineFilter, options)
    store.add(lines(60, 90))
    rows.update(lineFilter, options)
    expect([rows.numberAt(0), rows.count]).toEqual([store.first, store.end - store.first])
    expect(rows.entryAt(rows.indexOf(149))?.text).toBe('line 149')
    store.clear()
    rows.update(lineFilter, options)
    expect([rows.count, rows.total]).toEqual([0, 0])
  })

  it('have the height of their wrapped text', () => {
    const store = filled(line('x'.repeat(10)), line(''), line('x'.repeat(25)))
    const rows = createRows(store)
    rows.update(
      createLineFilter(store, all, () => undefined),
      { ...options, columns: 10 },
    )
    expect([rows.topOf(1), rows.topOf(2), rows.total]).toEqual([20, 40, 100])
  })
})

describe('the next match', () => {
  it.each([
    [5, 1, 8],
    [6, 1, 8],
    [2, -1, 8],
    [8, 1, 2],
    [6, -1, 5],
    [1, -1, 8],
  ] as const)('after %i by %i is %i', (from, by, to) => {
    expect(nextHit([2, 5, 8], from, by)).toBe(to)
  })

  it('is undefined without matches', () => {
    expect(nextHit([], 5, 1)).toBeUndefined()
    expect(nextHit([], 5, -1)).toBeUndefined()
  })
})
