import { useEffect } from 'react'

/** Sets the page title, with the product name as suffix. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Slipway`
  }, [title])
}
