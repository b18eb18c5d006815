import { useEffect, useState } from 'react'
import { tellError } from '../../lib/notify.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { useActing, useActOnContainer } from './changes.ts'
import { KillDialog, type ContainerDialogProps } from './kill-dialog.tsx'
import type { Container, ContainerDetails } from './queries.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { isAlive } from './container-words.ts'

function RemoveDialog({ serverId, container, onClose, onDone }: ContainerDialogProps) {
  const { id: cid, name, state } = container
  const [volumes, setVolumes] = useState(false)
  const remove = useActOnContainer(serverId, () => {
    toast.success(`${name} was removed.`)
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
          {force && <strong className="font-medium text-ink">It is {state}, and is killed first. </strong>}
          What was written inside it and its log are lost. Named volumes and its image stay. This cannot be
          undone.
        </p>
        <Checkbox
          label="Remove its anonymous volumes too"
          help="The data in them is lost."
          checked={volumes}
          onChange={({ target }) => setVolumes(target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}

/** Only for one that does not outlive it. */
function StopDialog({ serverId, container: { id, name }, onClose, onDone }: ContainerDialogProps) {
  const stop = useActOnContainer(serverId, () => {
    toast.success(`${name} was stopped, and is removed.`)
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
      It was started with <span className="font-mono">--rm</span>: it is removed when it stops. What was
      written inside it, its anonymous volumes and its log are lost. This cannot be undone.
    </ConfirmDialog>
  )
}

const asks = { kill: KillDialog, rename: RenameDialog, remove: RemoveDialog, stop: StopDialog } as const
type AskingVerb = keyof typeof asks

/** A list does not tell whether it goes when it stops. */
export type ActedOn = Container & Partial<Pick<ContainerDetails, 'auto_remove'>>

const hasDialog = (verb: string): verb is AskingVerb => Object.hasOwn(asks, verb)

/** Whether something is asked before it is done: of a stop only where it also removes. */
export const isAsking = (verb: string, container: ActedOn): verb is AskingVerb =>
  hasDialog(verb) && (verb !== 'stop' || container.auto_remove === true)

/** In the address; with so much of the id as people use. */
export const dialogName = (verb: AskingVerb, { id }: Container) => `${verb}-${id.slice(0, 12)}`

interface ContainerDialogsProps {
  serverId: string
  /** Those that a dialog may be about. */
  containers: readonly ActedOn[]
  /** There are no others, so that a dialog about another is about one that is gone. */
  complete: boolean
  /** Called instead of closing the dialog, where its page goes too. */
  onRemoved?: () => void
}

/** Open while the address names one of the containers. When that is gone it leaves the address, too. */
export function ContainerDialogs({ serverId, containers, complete, onRemoved }: ContainerDialogsProps) {
  const { dialog, close } = useDialog()
  const [verb = '', id = ''] = dialog.split('-')
  const container = id === '' ? undefined : containers.find((one) => one.id.startsWith(id))
  // What this browser removes itself closes its dialog when that is done.
  const ours = [...useActing(serverId).keys()].some((acted) => acted.startsWith(id))
  const gone = complete && id !== '' && hasDialog(verb) && !container && !ours
  useEffect(() => {
    if (!gone) return
    tellError('This container is not there any more: it was removed.')
    close()
  })
  if (!container || !isAsking(verb, container)) return null
  const Asking = asks[verb]
  return (
    <Asking
      serverId={serverId}
      container={container}
      onClose={close}
      onDone={verb === 'remove' ? (onRemoved ?? close) : close}
    />
  )
}
