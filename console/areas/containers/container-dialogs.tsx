import { useEffect, useState } from 'react'
import { toastError } from '../../lib/notify.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { usePendingActions, useContainerAction } from './mutations.ts'
import { KillDialog, type ContainerDialogProps } from './kill-dialog.tsx'
import type { Container, ContainerDetails } from './queries.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { isAlive } from './container-state.ts'

function RemoveDialog({ serverId, container, onClose, onDone }: ContainerDialogProps) {
  const { id: cid, name, state } = container
  const [volumes, setVolumes] = useState(false)
  const remove = useContainerAction(serverId, () => {
    toast.success('Container removed')
    onDone()
  })
  const force = isAlive(state)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${name}?`}
      action={force ? 'Kill and remove' : 'Remove container'}
      pending={remove.isPending && 'Removing…'}
      onConfirm={() => remove.mutate({ cid, body: { action: 'remove', force, volumes } })}
    >
      <div className="flex flex-col gap-4">
        <p>
          {force && (
            <strong className="font-medium text-ink">
              The container is {state} and will be killed first.{' '}
            </strong>
          )}
          Its file system changes and its log are deleted. Named volumes and the image are kept. This can’t be
          undone.
        </p>
        <Checkbox
          label="Also remove anonymous volumes"
          help="Their data is lost."
          checked={volumes}
          onChange={({ target }) => setVolumes(target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}

/** For containers that Docker removes when they stop. */
function StopDialog({ serverId, container: { id, name }, onClose, onDone }: ContainerDialogProps) {
  const stop = useContainerAction(serverId, () => {
    toast.success('Container stopped and removed')
    onDone()
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Stop and remove ${name}?`}
      action="Stop and remove"
      pending={stop.isPending && 'Stopping…'}
      onConfirm={() => stop.mutate({ cid: id, body: { action: 'stop' } })}
    >
      It was started with <span className="font-mono">--rm</span>, so Docker removes it when it stops. Its
      file system changes, anonymous volumes and log are deleted. This can’t be undone.
    </ConfirmDialog>
  )
}

const actionDialogs = {
  kill: KillDialog,
  rename: RenameDialog,
  remove: RemoveDialog,
  stop: StopDialog,
} as const
type DialogVerb = keyof typeof actionDialogs

/** Container lists do not include `auto_remove`. */
export type ActionTarget = Container & Partial<Pick<ContainerDetails, 'auto_remove'>>

const hasDialog = (verb: string): verb is DialogVerb => Object.hasOwn(actionDialogs, verb)

/** A stop needs a confirmation only if it also removes the container. */
export const needsDialog = (verb: string, container: ActionTarget): verb is DialogVerb =>
  hasDialog(verb) && (verb !== 'stop' || container.auto_remove === true)

/** Name of the dialog in the URL, with the short container ID. */
export const dialogName = (verb: DialogVerb, { id }: Container) => `${verb}-${id.slice(0, 12)}`

interface ContainerDialogsProps {
  serverId: string

  containers: readonly ActionTarget[]
  /** `containers` is complete: a dialog about another container is about a removed one. */
  complete: boolean
  /** Called instead of closing the dialog. */
  onRemoved?: () => void
}

/** Open while the URL names one of the containers. */
export function ContainerDialogs({ serverId, containers, complete, onRemoved }: ContainerDialogsProps) {
  const { dialog, close } = useDialog()
  const [verb = '', id = ''] = dialog.split('-')
  const container = id === '' ? undefined : containers.find((one) => one.id.startsWith(id))
  // A removal from this browser closes its dialog when it is done.
  const ours = [...usePendingActions(serverId).keys()].some((acted) => acted.startsWith(id))
  const gone = complete && id !== '' && hasDialog(verb) && !container && !ours
  useEffect(() => {
    if (!gone) return
    toastError('This container no longer exists.')
    close()
  })
  if (!container || !needsDialog(verb, container)) return null
  const Asking = actionDialogs[verb]
  return (
    <Asking
      serverId={serverId}
      container={container}
      onClose={close}
      onDone={verb === 'remove' ? (onRemoved ?? close) : close}
    />
  )
}
