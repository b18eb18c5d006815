import { useState } from 'react'
import { toast } from 'sonner'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useActOnContainer } from './changes.ts'
import { isAlive } from './container-words.ts'
import type { ContainerDialogProps } from './kill-dialog.tsx'

export function RemoveDialog({ serverId, container, onClose, onDone }: ContainerDialogProps) {
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
