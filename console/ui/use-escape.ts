import { useEffect } from 'react'

/** Escape closes what floats topmost, and not the dialog that it floats over. */
export function useEscape(open: boolean, close: () => void) {
  useEffect(() => {
    if (!open) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      close()
    }
    // Ahead of a dialog, which listens at the document in the same way.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [open, close])
}
