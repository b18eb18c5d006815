import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/menu/dropdown-menu.tsx'

interface EntryMenuProps {
  name: string
  onEdit: (() => void) | undefined
  onRemove: () => void
}

export const entryActions =
  <Row,>(
    nameOf: (row: Row) => string,
    ask: (verb: 'edit' | 'remove', row: Row) => void,
    mayEdit: (row: Row) => boolean = () => true,
  ) =>
  (row: Row) => (
    <EntryMenu
      name={nameOf(row)}
      onEdit={mayEdit(row) ? () => ask('edit', row) : undefined}
      onRemove={() => ask('remove', row)}
    />
  )

function EntryMenu({ name, onEdit, onRemove }: EntryMenuProps) {
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {onEdit && (
        <MenuItem onSelect={onEdit}>
          <Pencil aria-hidden />
          Edit…
        </MenuItem>
      )}
      <MenuItem danger onSelect={onRemove}>
        <Trash2 aria-hidden />
        Remove…
      </MenuItem>
    </DropdownMenu>
  )
}
