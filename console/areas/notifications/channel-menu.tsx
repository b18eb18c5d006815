import { Ellipsis, Power, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { useUpdateChannel } from './mutations.ts'
import type { Notification } from './queries.ts'

interface ChannelMenuProps {
  channel: Notification
  onDelete: () => void
}

export function ChannelMenu({ channel: { id, name, enabled }, onDelete }: ChannelMenuProps) {
  const update = useUpdateChannel(id)
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button icon aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => update.mutate({ enabled: !enabled })}>
        <Power aria-hidden />
        {enabled ? 'Turn off' : 'Turn on'}
      </MenuItem>
      <MenuItem onSelect={onDelete} danger>
        <Trash2 aria-hidden />
        Delete…
      </MenuItem>
    </DropdownMenu>
  )
}
