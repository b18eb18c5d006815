import { useEffect, useRef } from 'react'
import { useLocation, NavigationType, useNavigationType } from 'react-router'

/** Scrolls to the element that the URL hash names, and keeps it in place while content above it loads. */
export function useSection() {
  const { hash, key } = useLocation()
  const isBack = useNavigationType() === NavigationType.Pop
  const isOpened = useRef(false)
  useEffect(() => {
    // Closing a dialog goes back, and must not scroll.
    const stays = isBack && isOpened.current
    isOpened.current = true
    if (hash.length < 2 || stays) return undefined
    const show = () => document.getElementById(hash.slice(1))?.scrollIntoView()
    const sizes = new ResizeObserver(show)
    sizes.observe(document.body)
    const stop = () => sizes.disconnect()
    const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
    for (const act of acts) window.addEventListener(act, stop, { once: true })
    return () => {
      stop()
      for (const act of acts) window.removeEventListener(act, stop)
    }
    // oxlint-disable-next-line exhaustive-effect-dependencies -- a click on the same link must scroll again
  }, [hash, key, isBack])
}
