import { type RefObject, useLayoutEffect, useRef } from 'react'

const usedForm = 'main form:is(:hover, :focus-within)'

/**
 * Keeps the height of an element above the content while a form below it is in use, so that late or removed content
 * does not move the form under the pointer. When the user leaves the form, the element gets its own height again.
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
    // A MutationObserver runs before the change is painted.
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

/** Sets the height. An element without height is hidden, because its parent would put a gap around it. */
function hold({ style }: HTMLElement, height: number) {
  if (height === 0) style.display = 'none'
  else Object.assign(style, { height: `${height}px`, overflow: 'hidden' })
}

function release({ style }: HTMLElement) {
  for (const property of ['display', 'height', 'overflow']) style.removeProperty(property)
}
