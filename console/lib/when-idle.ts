import { queryClient } from './http/query-client.ts'

/** Maximum wait. A slow request must not delay the callback further. */
const most = 2_000

/** Runs the callback when the data of the page is loaded. Returns a function that cancels it. */
export function whenLoaded(act: () => void): () => void {
  const until = performance.now() + most
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    if (isLoading() && performance.now() < until) timer = setTimeout(check, 50)
    else act()
  }
  check()
  return () => clearTimeout(timer)
}

/**
 * Runs the callback when the data of the page is loaded and the browser is idle. Returns a function that cancels it.
 */
export function whenIdle(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let handle: number | undefined
  const cancel = whenLoaded(() => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) handle = requestIdleCallback(act, { timeout: 500 })
    else timer = setTimeout(act, 200)
  })
  return () => {
    cancel()
    clearTimeout(timer)
    if (handle !== undefined) cancelIdleCallback(handle)
  }
}

const isLoading = () => queryClient.isFetching({ predicate: ({ state }) => state.data === undefined }) > 0
