import { expect, test } from 'vitest'
import { StaleCache } from './cache.ts'

test('evicts the oldest entries and loads them again', async () => {
  const answers = new StaleCache<string>(60_000, 10, ({ length }) => length)
  let asked = 0
  const get = async (key: string, value: string) => {
    const before = asked
    const got = await answers.get(
      key,
      () => Promise.resolve(value).finally(() => asked++),
      () => false,
    )
    return [got.value, asked > before ? 'asked' : 'known']
  }
  for (const [key, value] of Object.entries({ a: 'aaaa', b: 'bbbb' })) await get(key, value)
  expect(await get('a', 'other')).toEqual(['aaaa', 'known'])
  await get('c', 'cccc')
  expect(await get('b', 'other')).toEqual(['bbbb', 'known'])
  expect(await get('a', 'new')).toEqual(['new', 'asked'])
  answers.invalidate('a', 'aaaa')
  expect(await get('a', 'other')).toEqual(['new', 'known'])
  answers.invalidate('a', 'new')
  expect(await get('a', 'last')).toEqual(['last', 'asked'])
  // An entry that is larger than the cache evicts all others.
  await get('d', 'd'.repeat(20))
  expect(await get('a', 'again')).toEqual(['again', 'asked'])
})
