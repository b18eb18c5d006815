import {
  BellPlus,
  Boxes,
  Cloud,
  Keyboard,
  LogOut,
  MessageSquare,
  PanelLeft,
  Plus,
  Send,
  ServerCog,
  SunMoon,
} from 'lucide-react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { useLogOut } from '../areas/auth/queries.ts'
import { isLocked } from '../areas/workspaces/workspace-plan.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { setTheme } from '../lib/theme.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { newAlertPath, newChannelPath, paths } from '../paths.ts'
import { PaletteItem, PaletteGroup } from './palette-item.tsx'
import { useShell } from './shell-state.tsx'
import { useShellNavigate } from './use-shell-navigate.ts'

export function PaletteActions() {
  const { show, toggleSidebar } = useShell()
  const logOut = useLogOut()
  const { open } = useDialog()
  const locked = isLocked(useWorkspace())
  const then = (act: () => void) => () => {
    show(undefined)
    act()
  }
  const dark = () => document.documentElement.dataset['theme'] === 'dark'
  return (
    <PaletteGroup heading="Actions">
      {!locked && <NewThings />}
      <PaletteItem onSelect={then(() => open('new-workspace'))}>
        <Plus aria-hidden /> New workspace
      </PaletteItem>
      <PaletteItem onSelect={then(() => open('feedback'))}>
        <MessageSquare aria-hidden /> Send feedback
      </PaletteItem>
      <PaletteItem onSelect={then(() => setTheme(dark() ? 'light' : 'dark'))}>
        <SunMoon aria-hidden /> Toggle light and dark theme
      </PaletteItem>
      <PaletteItem onSelect={then(toggleSidebar)}>
        <PanelLeft aria-hidden /> Toggle sidebar
      </PaletteItem>
      <PaletteItem onSelect={() => show('shortcuts')}>
        <Keyboard aria-hidden /> Keyboard shortcuts
      </PaletteItem>
      <PaletteItem onSelect={then(() => logOut.mutate())}>
        <LogOut aria-hidden /> Log out
      </PaletteItem>
    </PaletteGroup>
  )
}

function NewThings() {
  const { role } = useWorkspace()
  const go = useShellNavigate()
  return (
    <>
      {roleAllows(role, 'applications.manage') && (
        <PaletteItem onSelect={() => go(paths.createApplication)}>
          <Boxes aria-hidden /> New application
        </PaletteItem>
      )}
      {roleAllows(role, 'servers.manage') && (
        <PaletteItem onSelect={() => go(paths.createServer)}>
          <Cloud aria-hidden /> Create a server
        </PaletteItem>
      )}
      {roleAllows(role, 'servers.manage') && (
        <PaletteItem onSelect={() => go(paths.importServers)}>
          <ServerCog aria-hidden /> Import a server
        </PaletteItem>
      )}
      {roleAllows(role, 'alerts.manage') && (
        <PaletteItem onSelect={() => go(newAlertPath)}>
          <BellPlus aria-hidden /> New alert
        </PaletteItem>
      )}
      {roleAllows(role, 'notifications.manage') && (
        <PaletteItem onSelect={() => go(newChannelPath)}>
          <Send aria-hidden /> New channel
        </PaletteItem>
      )}
    </>
  )
}
