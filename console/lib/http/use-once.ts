import { useEffect, useEffectEvent, useRef } from 'react'

/** Does something when the page is first shown, and never again: what it takes to do it serves once. */
export function useOnce(work: () => Promise<unknown> | void) {
  const started = useRef(false)
  const startOnce = useEffectEvent(() => {
    if (started.current) return
    started.current = true
    void work()
  })
  useEffect(() => startOnce(), [])
}
