import { type RefObject, useLayoutEffect, useRef } from 'react'

const usedForm = 'main form:is(:hover, :focus-within)'

/**
 * Keeps the height of an element above the content while a form below it is in use, so that what appears late or goes away
 * does not move the form under the pointer. The element takes its own height once the form is left.
 */
export function useHeldHeight(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    let [height, isHeld] = [element.offsetHeight, false]
    const update = () => {
      const holds = document.querySelector(usedForm) !== null
      if (holds) hold(element, height)
      else release(element)
      isHeld = holds
      if (!holds) height = element.offsetHeight
    }
    // Runs before the change is painted.
    const observer = new MutationObserver(update)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    const onLeave = () => {
      if (isHeld && !document.querySelector(usedForm)) update()
    }
    document.addEventListener('pointerover', onLeave, { passive: true })
    document.addEventListener('focusin', onLeave)
    return () => {
      observer.disconnect()
      document.removeEventListener('pointerover', onLeave)
      document.removeEventListener('focusin', onLeave)
    }
  }, [])
  return ref
}

/** Without a height it is not displayed at all, because its parent would put a gap around it. */
function hold({ style }: HTMLElement, height: number) {
  if (height === 0) style.display = 'none'
  else Object.assign(style, { height: `${height}px`, overflow: 'hidden' })
}

function release({ style }: HTMLElement) {
  for (const property of ['display', 'height', 'overflow']) style.removeProperty(property)
}
