import { useRef } from 'react'

/**
 * For a dialog that is opened by something other than its own trigger: the first field to fill in gets the focus; when it closes,
 * the focus goes back to where it was, or to the page where that is gone.
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

/** An entry goes with its menu; the button that opened the menu stays. */
function opener(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : focused
}
