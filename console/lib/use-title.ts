import { useEffect } from 'react'

/** Sets the page title, followed by the name of the product. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Slipway`
  }, [title])
}
