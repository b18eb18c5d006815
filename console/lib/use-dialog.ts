import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router'

const name = 'dialog'
/** Marks an entry of the history that lies right above the same page without the dialog. */
const opened = 'dialog-opened'
/** Where a dialog was just closed: going back takes a moment, in which whoever else closes it would lead off the page. */
let left: Location | undefined

/** The dialog that stands in the address. Opening it is a step, so that the way back closes it and stays here. */
export function useDialog() {
  const [params] = useSearchParams()
  const location = useLocation()
  const state: unknown = location.state
  const navigate = useNavigate()
  const dialog = left === location ? '' : (params.get(name) ?? '')

  function open(which: string) {
    const after = new URLSearchParams(params)
    after.set(name, which)
    // One dialog in another's place is no further step.
    void navigate(`?${after}`, dialog === '' ? { state: opened } : { state, replace: true })
  }

  function close() {
    if (left === location) return
    if (state === opened) {
      left = location
      void navigate(-1)
      return
    }
    const after = new URLSearchParams(params)
    after.delete(name)
    void navigate(`?${after}`, { replace: true })
  }

  return { dialog, open, close }
}
