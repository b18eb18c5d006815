import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { invalidate } from './invalidate.ts'

/** Observes a query. A response carries the value at request time and arrives when `answer` is called. */
function show(key: string) {
  const client = new QueryClient()
  const asked: (() => void)[] = []
  let now = 'old'
  const queryFn = () => {
    const then = now
    return new Promise<string>((resolve) => asked.push(() => resolve(then)))
  }
  const observer = new QueryObserver(client, { queryKey: [key, 'one'], queryFn, staleTime: Infinity })
  observer.subscribe(() => undefined)
  return {
    client,
    asked,
    data: () => observer.getCurrentResult().data,
    change: (value: string) => (now = value),
    answer: async (at: number) => {
      asked[at]?.()
      await vi.waitFor(() => expect(observer.getCurrentResult().data).toBeDefined())
    },
  }
}

test('refetches after a change during the first load and shows the first response meanwhile', async () => {
  const shown = show('deliveries')
  shown.change('new')
  for (let times = 0; times < 3; times++) invalidate(shown.client, { queryKey: ['deliveries'] })
  expect(shown.asked).toHaveLength(1)
  await shown.answer(0)
  expect(shown.data()).toBe('old')
  await vi.waitFor(() => expect(shown.asked).toHaveLength(2))
  await shown.answer(1)
  await vi.waitFor(() => expect(shown.data()).toBe('new'))
  // Three invalidations cause one refetch.
  expect(shown.asked).toHaveLength(2)
})

test('refetches loaded queries immediately and leaves others alone', async () => {
  const shown = show('deliveries')
  await shown.answer(0)
  invalidate(shown.client, { queryKey: ['servers'] })
  expect(shown.asked).toHaveLength(1)
  invalidate(shown.client, { queryKey: ['deliveries'] })
  expect(shown.asked).toHaveLength(2)
})
