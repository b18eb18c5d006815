import { useEffect } from 'react'

/** While something was typed that is not saved, the browser asks before the page is closed or loaded anew. */
export function useUnsaved(unsaved: boolean) {
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
}
