import { type ReactNode, use, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type To, UNSAFE_NavigationContext as NavigationContext, parsePath, useLocation } from 'react-router'
import { formatCount } from '../../contract/shared/format-list.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Asks before a link, a shortcut or the Back button leaves a page with `unsaved` changes. */
export function LeaveGuard({ unsaved, children }: { unsaved: number; children: ReactNode }) {
  const { pathname } = useLocation()
  const navigation = use(NavigationContext)
  const { navigator } = navigation
  const [leave, setLeave] = useState<() => void>()
  const guards = useRef(false)
  const latest = useRef<() => void>(undefined)

  function discard() {
    guards.current = false
    setLeave(undefined)
    leave?.()
  }
  useLayoutEffect(() => {
    latest.current = discard
  })
  useLayoutEffect(() => {
    guards.current = unsaved > 0
    // The changes can be gone with their page, for example because the user left the workspace.
    if (unsaved === 0) latest.current?.()
  }, [unsaved])

  const guarded = useMemo(() => {
    const push: typeof navigator.push = (to, ...state) => {
      const go = () => navigator.push(to, ...state)
      if (guards.current && isElsewhere(to)) setLeave(() => go)
      else go()
    }
    return { ...navigation, navigator: { ...navigator, push } }
  }, [navigation, navigator])

  useEffect(() => {
    const index = readIndex()
    function onPop(event: PopStateEvent) {
      const steps = readIndex() - index
      if (!guards.current || !steps || window.location.pathname === pathname) return
      // The navigation is reverted below, so the router must not see it.
      event.stopImmediatePropagation()
      window.history.go(-steps)
      setLeave(() => () => window.history.go(steps))
    }
    window.addEventListener('popstate', onPop, { capture: true })
    return () => window.removeEventListener('popstate', onPop, { capture: true })
  }, [pathname])

  return (
    <NavigationContext value={guarded}>
      {children}
      <ConfirmDialog
        open={leave !== undefined && unsaved > 0}
        onOpenChange={() => setLeave(undefined)}
        title={`Discard ${formatCount(unsaved, 'unsaved change')}?`}
        action="Discard"
        dismiss="Keep editing"
        onConfirm={discard}
      >
        If you leave this page, your unsaved changes are lost.
      </ConfirmDialog>
    </NavigationContext>
  )
}

function isElsewhere(to: To): boolean {
  const { pathname } = typeof to === 'string' ? parsePath(to) : to
  return pathname !== undefined && pathname !== window.location.pathname
}

/** Returns the position in the history, which the router stores in each entry. */
function readIndex(): number {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state ? Number(state.idx) : Number.NaN
}
