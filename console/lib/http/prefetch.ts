/** Loads the code behind a link as soon as somebody points at it or tabs to it. */
export function prefetchLinks(preload: (pathname: string) => void) {
  const onPoint = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a[href^="/"]') : null
    if (link instanceof HTMLAnchorElement) preload(link.pathname)
  }
  document.addEventListener('pointerover', onPoint, { passive: true })
  document.addEventListener('focusin', onPoint)
}

/** Does something once the browser has nothing better to do. Returns what calls it off. */
export function whenIdle(act: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, 500)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 500 })
  return () => cancelIdleCallback(handle)
}
