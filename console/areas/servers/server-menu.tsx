import { RotateCw, Settings, SquareTerminal, Terminal, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { serverPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ActionsMenu, MenuItem, MenuLink, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import { useRebootServer } from './mutations.ts'
import type { Server } from './queries.ts'

export const ServerActions = ({ id }: { id: string }) => (
  <>
    <ButtonLink to={serverPath(id, 'commands')} className="max-sm:hidden">
      <Terminal aria-hidden />
      Run command
    </ButtonLink>
    <ButtonLink to={serverPath(id, 'terminal')}>
      <SquareTerminal aria-hidden />
      Terminal
    </ButtonLink>
  </>
)

interface ServerMenuProps {
  server: Server
  manages: boolean
  isRoot: boolean
}

export function ServerMenu({ server, manages, isRoot }: ServerMenuProps) {
  const { open } = useDialog()
  const { id, name, kind, status } = server
  return (
    <ActionsMenu name={name} variant="secondary">
      {isRoot && (
        <MenuLink to={serverPath(id, 'commands')}>
          <Terminal aria-hidden />
          Run command
        </MenuLink>
      )}
      {manages && (
        <MenuLink to={serverPath(id, 'settings')}>
          <Settings aria-hidden />
          Settings
        </MenuLink>
      )}
      {isRoot && kind === 'ssh' && (
        <MenuItem disabled={status !== 'ready'} onSelect={() => open('reboot')}>
          <RotateCw aria-hidden />
          Reboot
        </MenuItem>
      )}
      {manages && (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={() => open('delete')}>
            <Trash2 aria-hidden />
            Delete server
          </MenuItem>
        </>
      )}
    </ActionsMenu>
  )
}

/** Opens with `?dialog=reboot`, except on This machine, where a reboot would stop Slipway. */
export function RebootDialog({ server }: { server: Server }) {
  const { dialog, close } = useDialog()
  const { id, name, kind, status, containers } = server
  const reboot = useRebootServer(id)
  if (dialog !== 'reboot' || kind !== 'ssh' || status !== 'ready') return null
  const stopped =
    containers.running === 0
      ? 'The server is'
      : `The server and its ${formatCount(containers.running, 'running container')} are`
  return (
    <ConfirmDialog
      open
      onOpenChange={close}
      title={`Reboot ${name}?`}
      action="Reboot"
      pending={reboot.isPending && 'Rebooting…'}
      onConfirm={() =>
        reboot.mutate(undefined, {
          onSuccess: () => {
            toast.success(`Reboot of ${name} started`)
            close()
          },
        })
      }
    >
      {stopped} offline until the reboot is complete, usually within two minutes. Open terminals are closed
      and running commands are stopped.
    </ConfirmDialog>
  )
}
