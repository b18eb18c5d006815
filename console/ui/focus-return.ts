import { useRef } from 'react'

/**
 * For a dialog that is opened by something other than its own trigger: when it closes, the focus goes back to where
 * it was, or to the page where that is gone.
 */
export function useFocusReturn() {
  const from = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      from.current = opener(document.activeElement)
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
