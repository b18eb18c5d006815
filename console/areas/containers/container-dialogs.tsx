import { useEffect, useState } from 'react'
import { notify, toastError } from '../../lib/notify.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { type Container, type ContainerDetails, useContainerAction, usePendingActions } from './queries.ts'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { isAlive } from './container-state.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

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
          Its file system changes and log are deleted. Named volumes and the image are kept. This cannot be
          undone.
        </p>
        <Checkbox
          label="Also remove anonymous volumes"
          help="Data in these volumes is deleted."
          checked={volumes}
          onChange={({ target }) => setVolumes(target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}

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
      The container was started with <span className="font-mono">--rm</span>, so Docker removes it when it
      stops. Its file system changes, anonymous volumes and log are deleted. This cannot be undone.
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

export const dialogName = (verb: DialogVerb, { id }: Container) => `${verb}-${id.slice(0, 12)}`

interface ContainerDialogsProps {
  serverId: string
  containers: readonly ActionTarget[]
  /** Whether `containers` is the full list, in which a missing container has been removed. */
  complete: boolean
  onRemoved?: () => void
}

export function ContainerDialogs({ serverId, containers, complete, onRemoved }: ContainerDialogsProps) {
  const { dialog, close } = useDialog()
  const [verb = '', id = ''] = dialog.split('-')
  const container = id === '' ? undefined : containers.find((candidate) => candidate.id.startsWith(id))
  // A removal that this page started closes its own dialog, so do not report the container as gone.
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

export interface ContainerDialogProps {
  serverId: string
  container: Container
  onClose: () => void
  onDone: () => void
}

function KillDialog({ serverId, container: { id, name }, onClose, onDone }: ContainerDialogProps) {
  const act = useContainerAction(serverId, onDone)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Kill ${name}?`}
      action="Kill container"
      pending={act.isPending && 'Killing…'}
      onConfirm={() => act.mutate({ cid: id, body: { action: 'kill' } })}
    >
      The container is killed with SIGKILL and loses unsaved work. To shut it down gracefully, stop it
      instead.
    </ConfirmDialog>
  )
}

function RenameDialog({ serverId, container, onClose, onDone }: ContainerDialogProps) {
  const rename = useContainerAction(serverId, onDone, true)
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    try {
      await rename.mutateAsync({ cid: container.id, body: { action: 'rename', name } })
    } catch (error) {
      const shown = atName(error)
      // The field shows its error, so no toast is needed.
      if (!(shown instanceof ApiError && 'name' in shown.fields)) notify(shown)
      throw shown
    }
    toast.success(`Container renamed to ${name}`)
  })
  return (
    <Dialog open holds onOpenChange={onClose} title={`Rename ${container.name}`}>
      <form {...form} className="flex flex-col gap-4">
        <Field
          label="New name"
          help="Containers that connect by name must use the new name."
          error={errors['name']}
        >
          <Input name="name" defaultValue={container.name} mono />
        </Field>
        <DialogFooter pending={pending && 'Renaming…'}>Rename</DialogFooter>
      </form>
    </Dialog>
  )
}

/** Docker's refusal of a rename is about the name, so show it at the field. */
function atName(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'docker_refused') return error
  const { messages, message, status, code } = error
  return new ApiError({ messages, fields: { name: message }, status, code })
}
