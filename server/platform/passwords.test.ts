import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPasswords, maxConcurrentHashes, maxQueuedHashes, PasswordsBusy } from './passwords.ts'
import { createLimiter } from './async.ts'

test('runs a few tasks at a time in the order of their calls, and goes on after one that fails', async () => {
  const limited = createLimiter(2, 10, () => new Error('busy'))
  let running = 0
  let most = 0
  const began: number[] = []
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      limited(async () => {
        began.push(index)
        most = Math.max(most, ++running)
        await sleep(2)
        running--
        if (index === 1) throw new Error('failed')
        return index
      }),
    ),
  )
  expect([most, began]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7]])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})

test('hashes only a few passwords at a time, and refuses those that would wait too long', async () => {
  const passwords = createPasswords()
  const stored = await passwords.hash('a long password')
  const room = maxConcurrentHashes + maxQueuedHashes
  const outcomes = await Promise.allSettled(
    Array.from({ length: room + 20 }, () => passwords.check(stored, 'a long password')),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(20)
  expect(refused.every(({ reason }) => reason instanceof PasswordsBusy)).toBe(true)
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value)).toHaveLength(room)
  expect(await passwords.check(stored, 'another password')).toBe(false)
})
