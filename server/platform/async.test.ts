import { expect, test } from 'vitest'
import { createSemaphore } from './async.ts'

test('grants permits in order up to the limit', async () => {
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
  // A second release must not free another permit.
  places[0]()
  const second = await waiting[0]
  expect(order).toEqual([1])
  second?.()
  places[1]()
  await Promise.all(waiting.slice(1))
  expect(order).toEqual([1, 2, 3])
})

test('grants no permit to an aborted waiter', async () => {
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
