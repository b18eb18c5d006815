import { Ellipsis } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/dropdown-menu.tsx'
import { useMuteAlert } from './changes.ts'
import { MuteItems } from './mute-menu.tsx'
import type { Alert } from './queries.ts'

interface AlertMenuProps {
  alert: Alert
  ask: (verb: string, alert: Alert) => void
}

/** For the rows of the table. */
export const menuOf = (ask: AlertMenuProps['ask']) => (alert: Alert) => <AlertMenu {...{ alert, ask }} />

function AlertMenu({ alert, ask }: AlertMenuProps) {
  const mute = useMuteAlert(alert.id)
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${alert.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => ask('edit', alert)}>Edit…</MenuItem>
      <MenuSeparator />
      <MuteItems name={alert.name} mutedUntil={alert.muted_until} mute={mute} />
      <MenuSeparator />
      <MenuItem danger onSelect={() => ask('delete', alert)}>
        Delete…
      </MenuItem>
    </DropdownMenu>
  )
}
