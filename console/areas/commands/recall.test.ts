import { expect, it } from 'vitest'
import { earlierTexts, emptyPrompt, recall, typed } from './recall.ts'

const earlier = ['uptime', 'df -h', 'ls']

it('goes back through what was run, and forth to what was being typed', () => {
  const start = typed('doc')
  const one = recall(start, earlier, 1)
  expect(one?.text).toBe('uptime')
  const two = one && recall(one, earlier, 1)
  expect(two?.text).toBe('df -h')
  const back = two && recall(two, earlier, -1)
  expect(back?.text).toBe('uptime')
  const own = back && recall(back, earlier, -1)
  expect(own).toEqual(start)
})

it('stops at both ends', () => {
  expect(recall(emptyPrompt, earlier, -1)).toBeUndefined()
  expect(recall(emptyPrompt, [], 1)).toBeUndefined()
  expect(recall({ text: 'ls', at: 2, draft: '' }, earlier, 1)).toBeUndefined()
})

it('begins at the newest again once something is typed', () => {
  const changed = typed('df -h /')
  expect(recall(changed, earlier, 1)?.text).toBe('uptime')
})

it('has every command once, the newest first', () => {
  const run = ['uptime', 'ls', 'uptime', 'df'].map((command) => ({ command }))
  expect(earlierTexts(run)).toEqual(['uptime', 'ls', 'df'])
})
