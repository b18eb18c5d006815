import { useLayoutEffect } from 'react'
import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router'

/** Parameters of the URL that open a dialog. Deployments and incidents have their own. */
const names = ['dialog', 'deploymentId', 'incident'] as const
/** State of a history entry that follows the same page without the dialog, so that closing can go back. */
export const dialogOpenedState = 'dialog-opened'
let shown: Location | undefined
let left: { location: Location; gone: Promise<unknown> } | undefined

/** Keeps the state of a dialog in the URL. Opening adds a history entry, so that Back closes the dialog. */
export function useDialog(name: (typeof names)[number] = 'dialog') {
  const [params] = useSearchParams()
  const location = useLocation()
  const state: unknown = location.state
  const navigate = useNavigate()
  const dialog = left?.location === location ? '' : (params.get(name) ?? '')
  useLayoutEffect(() => {
    shown = location
  }, [location])

  function open(which: string) {
    const after = without(params)
    after.set(name, which)
    const push = () => navigate(`?${after}`, { state: dialogOpenedState })
    if (left?.location === location) void left.gone.then(push)
    else if (names.every((param) => !params.has(param))) void push()
    // Another dialog is open, so replace it without a new history entry.
    else void navigate(`?${after}`, { state, replace: true })
  }

  function close() {
    // A late second close, or one after another dialog has replaced this one, would navigate off the page.
    if (left?.location === location || shown !== location) return
    if (state === dialogOpenedState) {
      left = { location, gone: nextStepBack() }
      void navigate(-1)
      return
    }
    void navigate(`?${without(params)}`, { replace: true })
  }

  return { dialog, open, close }
}

const nextStepBack = () =>
  new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))

function without(params: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(params)
  for (const name of names) after.delete(name)
  return after
}

/** Splits the dialog parameter into action and entry, such as `edit-env_…` or `remove-env_…`. */
export function useEntryDialog<Row extends { id: string }>(rows: readonly Row[] | undefined) {
  const { dialog, open, close } = useDialog()
  const dash = dialog.indexOf('-')
  const [verb, id] = [dialog.slice(0, dash), dialog.slice(dash + 1)]
  const entry = rows?.find((row) => row.id === id)
  return {
    dialog,
    open,
    close,
    ask: (what: string, { id: of }: Row) => open(`${what}-${of}`),
    verb,
    entry,
    editing: verb === 'edit' ? entry : undefined,
    removing: verb === 'remove' ? entry : undefined,
  }
}

/** Returns a link that opens the dialog and keeps the rest of the URL, such as a search. */
export function dialogLink(params: URLSearchParams, dialog: string, name: (typeof names)[number] = 'dialog') {
  const after = new URLSearchParams(params)
  after.set(name, dialog)
  return `?${after}`
}
