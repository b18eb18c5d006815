import { Ellipsis, FileKey2, Pencil, RotateCw, Trash2, Undo2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import { isHttpsSettled } from './certificate-badge.ts'
import type { Domain } from './queries.ts'

export type DomainVerb = 'edit' | 'upload' | 'drop' | 'remove'

interface DomainMenuProps {
  domain: Domain
  onAsk: (verb: DomainVerb) => void
  onOrder: () => void
}

export function DomainMenu({ domain, onAsk, onOrder }: DomainMenuProps) {
  const { https, certificate } = domain
  const own = certificate?.kind === 'uploaded'
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${domain.host}${domain.path}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => onAsk('edit')}>
        <Pencil aria-hidden />
        Edit…
      </MenuItem>
      {https && !own && (!isHttpsSettled(domain) || certificate?.error) && (
        <MenuItem onSelect={onOrder}>
          <RotateCw aria-hidden />
          Request certificate now
        </MenuItem>
      )}
      {https && (
        <MenuItem onSelect={() => onAsk('upload')}>
          <FileKey2 aria-hidden />
          {own ? 'Replace certificate…' : 'Upload certificate…'}
        </MenuItem>
      )}
      {own && (
        <MenuItem onSelect={() => onAsk('drop')}>
          <Undo2 aria-hidden />
          Remove certificate…
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem danger onSelect={() => onAsk('remove')}>
        <Trash2 aria-hidden />
        Remove…
      </MenuItem>
    </DropdownMenu>
  )
}
