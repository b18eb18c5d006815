import { Keyboard, LogOut, PanelLeft, Plus, SunMoon } from 'lucide-react'
import { useLogOut } from '../areas/auth/queries.ts'
import { setTheme } from '../lib/theme.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { Entry, Group } from './palette-entry.tsx'
import { useShell } from './shell-state.tsx'

export function Actions() {
  const { show, toggleSidebar } = useShell()
  const logOut = useLogOut()
  const { open } = useDialog()
  const then = (act: () => void) => () => {
    show(undefined)
    act()
  }
  const dark = () => document.documentElement.dataset['theme'] === 'dark'
  return (
    <Group heading="Actions">
      <Entry onSelect={then(() => open('new-workspace'))}>
        <Plus aria-hidden /> New workspace
      </Entry>
      <Entry onSelect={then(() => setTheme(dark() ? 'light' : 'dark'))}>
        <SunMoon aria-hidden /> Switch between light and dark
      </Entry>
      <Entry onSelect={then(toggleSidebar)}>
        <PanelLeft aria-hidden /> Toggle the sidebar
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
