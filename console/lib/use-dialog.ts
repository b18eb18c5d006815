import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router'

/** A question or a form; and the details of a deployment or an incident, which have names of their own in the address. */
const names = ['dialog', 'deploymentId', 'incident'] as const
/** Marks an entry of the history that lies right above the same page without the dialog. */
export const opened = 'dialog-opened'
/** Where a dialog was just closed: going back takes a moment, in which whoever else closes it would lead off the page. */
let left: Location | undefined

/** The dialog that stands in the address. Opening it is a step, so that the way back closes it and stays here. */
export function useDialog(name: (typeof names)[number] = 'dialog') {
  const [params] = useSearchParams()
  const location = useLocation()
  const state: unknown = location.state
  const navigate = useNavigate()
  const dialog = left === location ? '' : (params.get(name) ?? '')

  function open(which: string) {
    const after = without(params)
    after.set(name, which)
    // One dialog in another's place is no further step.
    const first = left === location || names.every((one) => !params.has(one))
    void navigate(`?${after}`, first ? { state: opened } : { state, replace: true })
  }

  function close() {
    if (left === location) return
    if (state === opened) {
      left = location
      void navigate(-1)
      return
    }
    void navigate(`?${without(params)}`, { replace: true })
  }

  return { dialog, open, close }
}

function without(params: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(params)
  for (const name of names) after.delete(name)
  return after
}
