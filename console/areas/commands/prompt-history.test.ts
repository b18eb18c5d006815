import { expect, it } from 'vitest'
import { uniqueCommands, emptyPrompt, recallCommand, promptWithText } from './prompt-history.ts'

const earlier = ['uptime', 'df -h', 'ls']

it('recalls earlier commands and returns to the draft', () => {
  const start = promptWithText('doc')
  const one = recallCommand(start, earlier, 1)
  expect(one?.text).toBe('uptime')
  const two = one && recallCommand(one, earlier, 1)
  expect(two?.text).toBe('df -h')
  const back = two && recallCommand(two, earlier, -1)
  expect(back?.text).toBe('uptime')
  const own = back && recallCommand(back, earlier, -1)
  expect(own).toEqual(start)
})

it('stops at both ends', () => {
  expect(recallCommand(emptyPrompt, earlier, -1)).toBeUndefined()
  expect(recallCommand(emptyPrompt, [], 1)).toBeUndefined()
  expect(recallCommand({ text: 'ls', at: 2, draft: '' }, earlier, 1)).toBeUndefined()
})

it('starts at the newest after typing', () => {
  const changed = promptWithText('df -h /')
  expect(recallCommand(changed, earlier, 1)?.text).toBe('uptime')
})

it('lists each command once, newest first', () => {
  const run = ['uptime', 'ls', 'uptime', 'df'].map((command) => ({ command }))
  expect(uniqueCommands(run)).toEqual(['uptime', 'ls', 'df'])
})
