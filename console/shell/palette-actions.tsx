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
import { may } from '../../contract/shared/permissions.ts'
import { useLogOut } from '../areas/auth/queries.ts'
import { isLocked } from '../areas/workspaces/is-locked.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { setTheme } from '../lib/theme.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { newAlertPath, newChannelPath, paths } from '../paths.ts'
import { Entry, Group } from './palette-entry.tsx'
import { useShell } from './shell-state.tsx'
import { useGo } from './use-go.ts'

export function Actions() {
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
    <Group heading="Actions">
      {!locked && <NewThings />}
      <Entry onSelect={then(() => open('new-workspace'))}>
        <Plus aria-hidden /> New workspace
      </Entry>
      <Entry onSelect={then(() => open('feedback'))}>
        <MessageSquare aria-hidden /> Send feedback
      </Entry>
      <Entry onSelect={then(() => setTheme(dark() ? 'light' : 'dark'))}>
        <SunMoon aria-hidden /> Toggle light and dark theme
      </Entry>
      <Entry onSelect={then(toggleSidebar)}>
        <PanelLeft aria-hidden /> Toggle sidebar
      </Entry>
      <Entry onSelect={() => show('shortcuts')}>
        <Keyboard aria-hidden /> Keyboard shortcuts
      </Entry>
      <Entry onSelect={then(() => logOut.mutate())}>
        <LogOut aria-hidden /> Log out
      </Entry>
    </Group>
  )
}

function NewThings() {
  const { role } = useWorkspace()
  const go = useGo()
  return (
    <>
      {may(role, 'applications.manage') && (
        <Entry onSelect={() => go(paths.createApplication)}>
          <Boxes aria-hidden /> New application
        </Entry>
      )}
      {may(role, 'servers.manage') && (
        <Entry onSelect={() => go(paths.createServer)}>
          <Cloud aria-hidden /> Create a server
        </Entry>
      )}
      {may(role, 'servers.manage') && (
        <Entry onSelect={() => go(paths.importServers)}>
          <ServerCog aria-hidden /> Import a server
        </Entry>
      )}
      {may(role, 'alerts.manage') && (
        <Entry onSelect={() => go(newAlertPath)}>
          <BellPlus aria-hidden /> New alert
        </Entry>
      )}
      {may(role, 'notifications.manage') && (
        <Entry onSelect={() => go(newChannelPath)}>
          <Send aria-hidden /> New channel
        </Entry>
      )}
    </>
  )
}
