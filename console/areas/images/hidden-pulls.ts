import { useState } from 'react'

const key = 'hidden-pulls'

/** More are not shown on any page at once. */
const most = 100

const read = () => (sessionStorage.getItem(key) ?? '').split(' ')

/** The failed pulls that this tab of the browser was told to show no more, and how to tell it. */
export function useHiddenPulls(): [readonly string[], (id: string) => void] {
  const [hidden, setHidden] = useState(read)
  function hide(id: string) {
    const after = [...read(), id].slice(-most)
    sessionStorage.setItem(key, after.join(' '))
    setHidden(after)
  }
  return [hidden, hide]
}
