import { useEffect } from 'react'

/** Escape closes the topmost overlay, not the dialog below it. */
export function useEscape(open: boolean, close: () => void) {
  useEffect(() => {
    if (!open) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      close()
    }
    // Runs before the listener of a dialog, which is on the document as well.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [open, close])
}
