import { useRef } from 'react'

/**
 * Manages the focus of a dialog without a trigger. Opening focuses the first field; closing returns the focus to the
 * previous element, or to the page if that element is gone.
 */
export function useFocusReturn() {
  const from = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      from.current = opener(document.activeElement)
      const field =
        event.target instanceof Element
          ? event.target.querySelector('input:not([data-search], [type=checkbox]), textarea')
          : null
      if (!(field instanceof HTMLElement)) return
      event.preventDefault()
      field.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const back = from.current?.isConnected ? from.current : document.getElementById('main')
      if (back instanceof HTMLElement) back.focus()
    },
  }
}

/**
 * Returns the element that opened the dialog. A menu item unmounts with its menu, so the menu button stands in for it.
 */
function opener(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : focused
}
