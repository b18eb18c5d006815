import { useQuery } from '@tanstack/react-query'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { PlanDot, PlanLine } from '../areas/workspaces/plan-line.tsx'
import { useChangeWorkspace, useWorkspace, workspacesQuery } from '../areas/workspaces/queries.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { DropdownMenu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu/dropdown-menu.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useShell } from './shell-state.tsx'
import { sidebarButtonClasses } from './user-menu.tsx'
import { ErrorText } from '../ui/problem.tsx'

export function WorkspaceSwitcher({ narrow }: { narrow: boolean }) {
  const workspace = useWorkspace()
  return (
    <DropdownMenu
      align="start"
      className="w-60"
      trigger={
        <button type="button" className={sidebarButtonClasses(narrow)}>
          <span className="sr-only">Workspace</span>
          <span className="relative shrink-0">
            <Avatar name={workspace.name} square />
            {narrow && <PlanDot workspace={workspace} />}
          </span>
          {narrow && <span className="sr-only">{workspace.name}</span>}
          {!narrow && (
            <>
              <span className="flex min-w-0 flex-1 flex-col">
                <span dir="auto" className="truncate text-left font-medium">
                  {workspace.name}
                </span>
                <PlanLine workspace={workspace} />
              </span>
              <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
            </>
          )}
        </button>
      }
    >
      <Choices currentId={workspace.id} />
    </DropdownMenu>
  )
}

function Choices({ currentId }: { currentId: string }) {
  const { data: workspaces, error } = useQuery(workspacesQuery)
  const { open: openDialog } = useDialog()
  const navigate = useNavigate()
  const change = useChangeWorkspace(() => void navigate(paths.home))
  const { closeSheet } = useShell()

  function enter(id: string) {
    closeSheet()
    if (id !== currentId) change.mutate(id)
  }

  return (
    <>
      <MenuLabel>Workspaces</MenuLabel>
      {workspaces?.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => enter(id)}>
          <Avatar name={name} square />
          <span dir="auto" className="truncate">
            {name}
          </span>
          {id === currentId && <Check className="ml-auto" aria-label="current" />}
        </MenuItem>
      ))}
      {!workspaces && (
        <div className="p-2">{error ? <ErrorText error={error} /> : <Skeleton className="h-5" />}</div>
      )}
      <MenuSeparator />
      <MenuItem
        onSelect={() => {
          closeSheet()
          openDialog('new-workspace')
        }}
      >
        <Plus aria-hidden />
        New workspace
      </MenuItem>
    </>
  )
}
