import { expect, test } from 'vitest'
import { createSemaphore } from './async.ts'

test('so many get a place at once, the others in the order they came', async () => {
  const turns = createSemaphore(2)
  const order: number[] = []
  const places = await Promise.all([turns.acquire(), turns.acquire()])
  expect(turns.isFull()).toBe(true)
  const waiting = [1, 2, 3].map((number) =>
    turns.acquire().then((giveBack) => (order.push(number), giveBack)),
  )
  await Promise.resolve()
  expect(order).toEqual([])
  places[0]()
  // A place that is given back twice is one place.
  places[0]()
  const second = await waiting[0]
  expect(order).toEqual([1])
  second?.()
  places[1]()
  await Promise.all(waiting.slice(1))
  expect(order).toEqual([1, 2, 3])
})

test('who leaves the queue takes no place', async () => {
  const turns = createSemaphore(1)
  const giveBack = await turns.acquire()
  const leaving = new AbortController()
  const left = turns.acquire(leaving.signal)
  const stays = turns.acquire()
  leaving.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  await expect(turns.acquire(leaving.signal)).rejects.toThrow('enough')
  giveBack()
  await stays
})
