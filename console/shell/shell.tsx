import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState, useRef } from 'react'
import { useMatch, NavigationType, useLocation, useNavigationType } from 'react-router'
import { FeedbackDialog } from '../areas/feedback/feedback-dialog.tsx'
import { userQuery } from '../areas/user/queries.ts'
import { NewWorkspaceDialog } from '../areas/workspaces/create-workspace-form.tsx'
import { planRefetchDelay } from '../areas/workspaces/workspace-plan.ts'
import { currentWorkspaceQuery, useChangeWorkspace, type Workspace } from '../areas/workspaces/queries.ts'
import { SaveBar, SaveBarProvider } from '../lib/form/save-bar.tsx'
import { whenIdle } from '../lib/when-idle.ts'
import { paths } from '../paths.ts'
import { AddressText } from '../lib/address.tsx'
import { PublicLayout } from '../ui/brand/public-layout.tsx'
import { Button } from '../ui/button.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { TrailProvider } from '../ui/breadcrumbs.tsx'
import { AccountFrame, NoWorkspace } from './no-workspace.tsx'
import { LazyPalette, preloadPalette, ShellStateProvider, useShell } from './shell-state.tsx'
import { PlanGate } from './plan-gate.tsx'
import { useLoadingOrder } from './use-loading-order.ts'
import { ShortcutsSheet, useShortcuts } from './shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'
import { Topbar } from './topbar.tsx'
import { useParam } from '../lib/use-param.ts'
import { followLiveEvents } from '../lib/http/live.ts'
import { onOtherTabChange } from '../lib/other-tabs.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { RefreshCw, X } from 'lucide-react'
import { useRefreshProblem } from '../lib/http/use-refresh-problem.ts'

/** Dashboard layout. Pages render only after user and workspace are loaded. */
export function Shell() {
  const user = useQuery(userQuery)
  const workspace = useQuery({
    ...currentWorkspaceQuery,
    refetchInterval: ({ state }) => planRefetchDelay(state.data, Date.now()),
  })
  const moves = useWantedWorkspace(workspace.data)
  const atSettings = useMatch(`${paths.settings}/*`) !== null
  const atInstance = useMatch(`${paths.instance}/*`) !== null
  const atAccount = atSettings || atInstance
  const [last, setLast] = useState<string>()
  if (workspace.data && workspace.data.name !== last) setLast(workspace.data.name)
  if (user.data && workspace.data && !moves)
    return (
      <TooltipProvider>
        <TrailProvider>
          <ShellStateProvider>
            <SaveBarProvider>
              <Frame key={workspace.data.id} />
            </SaveBarProvider>
          </ShellStateProvider>
        </TrailProvider>
      </TooltipProvider>
    )
  if (user.data && workspace.data === null)
    return atAccount ? <AccountFrame lost={last} /> : <NoWorkspace lost={last} />
  const error = user.error ?? workspace.error
  if (error)
    return (
      <PublicLayout
        title="Could not load your workspace"
        description={<AddressText>{error.message}</AddressText>}
      >
        <Button
          variant="primary"
          size="large"
          wide
          onClick={() => void Promise.all([user.refetch(), workspace.refetch()])}
        >
          Try again
        </Button>
      </PublicLayout>
    )
  return <ShellSkeleton />
}

/** Frame of the pages. Each workspace mounts its own, with its own event stream. */
function Frame() {
  const connected = useLive()
  const { overlay } = useShell()
  useShortcuts()
  useArrival()
  useEffect(() => whenIdle(preloadPalette), [])
  const main = useLoadingOrder(useLocation().pathname)
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-1.5 focus:text-on-accent"
      >
        Skip to content
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <Topbar connected={connected} />
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-[1280px] has-data-wide:max-w-none flex-1 flex-col gap-6 px-6 py-6 outline-none max-sm:px-4"
        >
          <RefreshNotice />
          <Suspense>
            <PlanGate />
          </Suspense>
          <SaveBar />
        </main>
      </div>
      <NewWorkspaceDialog />
      <FeedbackDialog />
      <ShortcutsSheet />
      {overlay === 'palette' && <LazyPalette />}
    </div>
  )
}

/** Scrolls new pages to the top. On back navigation, the browser restores the position. */
function useArrival() {
  const { pathname } = useLocation()
  const how = useNavigationType()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (how !== NavigationType.Pop) window.scrollTo(0, 0)
    // The focused element was removed with the previous page.
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname, how])
}

/** Switches to the workspace that a link names in `?workspace=`. Returns true while switching. */
function useWantedWorkspace(current: Workspace | null | undefined): boolean {
  const [linkedId, setLinkedId] = useParam('workspace')
  const { mutate } = useChangeWorkspace(() => setLinkedId(''))
  const id = current?.id
  useEffect(() => {
    if (linkedId === '' || id === undefined) return
    if (linkedId === id) setLinkedId('')
    // The switch fails if the user is not a member. The linked page then shows that its resource was not found.
    else mutate(linkedId, { onError: () => setLinkedId('') })
  }, [linkedId, id, setLinkedId, mutate])
  return linkedId !== '' && id !== undefined
}

/** Delay before a lost connection is shown, so that short interruptions stay invisible. */
const disconnectDelayMs = 1500

/** Follows live updates. Returns false after the stream has been disconnected for a moment. */
function useLive(): boolean {
  const client = useQueryClient()
  const [lost, setLost] = useState(false)
  const [disconnected, setDisconnected] = useState(false)

  useEffect(() => followLiveEvents(client, (state) => setLost(state === 'lost')), [client])
  useEffect(() => onOtherTabChange(() => void client.resetQueries()), [client])
  useEffect(() => {
    const timer = setTimeout(() => setDisconnected(lost), lost ? disconnectDelayMs : 0)
    return () => clearTimeout(timer)
  }, [lost])

  return !disconnected
}

function ShellSkeleton() {
  return (
    <div className="flex min-h-dvh" aria-busy="true">
      <div className="flex w-64 flex-col gap-6 border-r border-line bg-subtle p-4 max-md:hidden">
        <Skeleton className="h-6 w-32" />
        <div className="flex flex-col gap-4">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-24" />
        </div>
      </div>
      <main className="flex-1">
        <h1 className="sr-only">Loading</h1>
        <div className="h-12 border-b border-line" />
        <div className="p-6">
          <Skeleton className="h-7 w-48" />
        </div>
      </main>
    </div>
  )
}

/**
 * Tells that the data of the page may be out of date, because cards keep their data when a refetch fails. The notice
 * floats, so that nothing moves under the pointer.
 */
function RefreshNotice() {
  const problem = useRefreshProblem()
  const [dismissed, setDismissed] = useState<Error>()
  const shown = problem && problem.error !== dismissed ? problem : undefined
  return (
    <output aria-label="Out of date" className="sticky top-14 z-20 -mb-6 flex h-0 justify-center">
      {shown && (
        <span className="flex h-fit max-w-full items-center gap-1 rounded-lg border border-edge bg-raised py-1 pr-1 pl-3 text-sm text-muted shadow-float">
          <span className="min-w-0 wrap-anywhere">
            This page is out of date. <AddressText>{shown.error.message}</AddressText>
          </span>
          <Button variant="ghost" size="small" onClick={() => void shown.retry()}>
            <RefreshCw aria-hidden />
            Refresh
          </Button>
          <Button
            variant="ghost"
            size="small"
            icon
            aria-label="Dismiss"
            onClick={() => setDismissed(shown.error)}
          >
            <X aria-hidden />
          </Button>
        </span>
      )}
    </output>
  )
}
