import { Ellipsis } from 'lucide-react'
import { toast } from 'sonner'
import { tellError } from '../../lib/notify.ts'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem } from '../../ui/dropdown-menu.tsx'
import { type CloudToken, useCheckCloudToken } from './queries.ts'

interface TokenActionsProps {
  token: CloudToken
  /** What its provider is called. */
  provider: string
  onEdit: () => void
  onRemove: () => void
}

export function TokenActions({ token, provider, onEdit, onRemove }: TokenActionsProps) {
  const check = useCheckCloudToken()
  const run = () =>
    check.mutate(token.id, {
      onSuccess: ({ error, name }) =>
        error === null ? toast.success(`${provider} takes the token ${name}.`) : tellError(error),
    })
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${token.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={run}>Check now</MenuItem>
      <MenuItem onSelect={onEdit}>Edit…</MenuItem>
      <MenuItem danger onSelect={onRemove}>
        Remove…
      </MenuItem>
    </DropdownMenu>
  )
}
