export function prefetchLinks(preload: (pathname: string) => void) {
  const onPoint = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a[href^="/"]') : null
    if (link instanceof HTMLAnchorElement) preload(link.pathname)
  }
  document.addEventListener('pointerover', onPoint, { passive: true })
  document.addEventListener('focusin', onPoint)
}
