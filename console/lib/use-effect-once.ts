import { useEffect, useEffectEvent, useRef } from 'react'

/** Runs an effect once, even in strict mode, because a one-time code would fail the second time. */
export function useEffectOnce(work: () => Promise<unknown> | void) {
  const started = useRef(false)
  const startOnce = useEffectEvent(() => {
    if (started.current) return
    started.current = true
    void work()
  })
  useEffect(() => startOnce(), [])
}
