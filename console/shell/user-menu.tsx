import { OwnerNames } from '../areas/workspaces/owner-names.tsx'
import {
  Blocks,
  Building2,
  ChevronsUpDown,
  Keyboard,
  LogOut,
  MessageSquare,
  Monitor,
  Moon,
  Settings,
  ShieldCheck,
  Sparkles,
  Sun,
} from 'lucide-react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { useLogOut } from '../areas/auth/queries.ts'
import { useUser } from '../areas/user/queries.ts'
import { isLocked } from '../areas/workspaces/workspace-plan.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { setTheme, useTheme } from '../lib/theme.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import {
  DropdownMenu,
  MenuChoice,
  MenuItem,
  MenuLabel,
  MenuLink,
  MenuSeparator,
} from '../ui/menu/dropdown-menu.tsx'
import { Kbd } from '../ui/code.tsx'
import { useShell } from './shell-state.tsx'
import { classNames } from '../ui/class-names.ts'

const themes = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
] as const

export function UserMenu({ narrow }: { narrow: boolean }) {
  const user = useUser()
  const workspace = useWorkspace()
  const upgrades = workspace.on_trial
  const owns = roleAllows(workspace.role, 'billing.manage')
  const locked = isLocked(workspace)
  const { closeSheet, show } = useShell()
  const { open } = useDialog()
  const logOut = useLogOut()
  const theme = useTheme()
  return (
    <DropdownMenu
      align="start"
      side="top"
      className="w-60"
      trigger={
        <button type="button" className={sidebarButtonClasses(narrow)}>
          <span className="sr-only">Account</span>
          <Avatar name={user.name} />
          {narrow && <span className="sr-only">{user.name}</span>}
          {!narrow && (
            <>
              <span dir="auto" className="min-w-0 flex-1 truncate text-left font-medium">
                {user.name}
              </span>
              <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
            </>
          )}
        </button>
      }
    >
      <div className="flex flex-col px-2 py-1.5">
        <span dir="auto" className="truncate text-left font-medium">
          {user.name}
        </span>
        <span className="truncate text-sm text-muted">{user.email}</span>
      </div>
      <MenuSeparator />
      {upgrades && (
        <MenuLink to={paths.choosePlan} onSelect={closeSheet}>
          <Sparkles aria-hidden />
          Upgrade to Pro
          {!owns && (
            <span className="ml-auto truncate text-muted">
              Ask <OwnerNames />
            </span>
          )}
        </MenuLink>
      )}
      {!locked && <Places onSelect={closeSheet} />}
      {user.instance_owner && (
        <>
          <MenuLink to={paths.instance} onSelect={closeSheet}>
            <ShieldCheck aria-hidden />
            Instance
          </MenuLink>
          <MenuSeparator />
        </>
      )}
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice label="Theme" value={theme} options={themes} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem onSelect={() => show('shortcuts')}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
        <span className="ml-auto">
          <Kbd>?</Kbd>
        </span>
      </MenuItem>
      <MenuItem onSelect={() => open('feedback')}>
        <MessageSquare aria-hidden />
        Send feedback
      </MenuItem>
      <MenuItem onSelect={() => logOut.mutate()}>
        <LogOut aria-hidden />
        Log out
      </MenuItem>
    </DropdownMenu>
  )
}

const Places = ({ onSelect }: { onSelect: () => void }) => (
  <>
    <MenuLink to={paths.workspace} onSelect={onSelect}>
      <Building2 aria-hidden />
      Workspace
    </MenuLink>
    <MenuLink to={paths.integrations} onSelect={onSelect}>
      <Blocks aria-hidden />
      Integrations
    </MenuLink>
    <MenuLink to={paths.settings} onSelect={onSelect}>
      <Settings aria-hidden />
      Settings
    </MenuLink>
    <MenuSeparator />
  </>
)

export const sidebarButtonClasses = (narrow: boolean) =>
  classNames(
    'flex w-full items-center gap-2 rounded-md text-left -outline-offset-2 hover:bg-hover active:bg-pressed',
    'aria-expanded:bg-hover',
    narrow ? 'h-8 justify-center' : 'min-h-10 px-2 py-1',
  )
