import { useEffect, useRef } from 'react'
import { Outlet, matchPath, useLocation, useNavigate } from 'react-router'
import { isLocked } from '../areas/workspaces/workspace-plan.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { paths } from '../paths.ts'
import { Lock } from 'lucide-react'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

/** Redirects to plan selection without a plan, and back to the original page once there is one. */
export function PlanGate() {
  const workspace = useWorkspace()
  const locked = isLocked(workspace)
  const { pathname, search } = useLocation()
  const atAccount = [paths.settings, paths.instance].some((path) => matchPath(`${path}/*`, pathname))
  const navigate = useNavigate()
  const atChoice = matchPath(paths.choosePlan, pathname) !== null
  const open = atChoice || matchPath(paths.billingSuccess, pathname) !== null
  const returnUrl = useRef<string>(paths.home)
  const wasLocked = useRef(locked)

  useEffect(() => {
    if (locked && !open) {
      returnUrl.current = pathname + search
      void navigate(paths.choosePlan, { replace: true })
    }
    if (wasLocked.current && !locked && atChoice) void navigate(returnUrl.current, { replace: true })
    wasLocked.current = locked
  }, [locked, open, atChoice, pathname, search, navigate])

  if (workspace.locked && !atAccount) return <LockedWorkspace name={workspace.name} />
  return locked && !open ? null : <Outlet />
}

function LockedWorkspace({ name }: { name: string }) {
  return (
    <>
      <PageHeader title="Workspace locked" />
      <EmptyState icon={Lock} title={`${name} is locked`}>
        An instance owner locked this workspace. Applications keep running. Ask an instance owner to unlock
        it, or switch to another workspace.
      </EmptyState>
    </>
  )
}
