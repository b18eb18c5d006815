import { toast } from 'sonner'
import { ApiError } from '../../lib/http/api-error.ts'
import { notify } from '../../lib/notify.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useContainerAction } from './mutations.ts'
import type { ContainerDialogProps } from './kill-dialog.tsx'

export function RenameDialog({ serverId, container, onClose, onDone }: ContainerDialogProps) {
  const rename = useContainerAction(serverId, onDone, true)
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    try {
      await rename.mutateAsync({ cid: container.id, body: { action: 'rename', name } })
    } catch (error) {
      const told = atName(error)
      // A field error needs no toast.
      if (!(told instanceof ApiError && 'name' in told.fields)) notify(told)
      throw told
    }
    toast.success(`Container renamed to ${name}`)
  })
  return (
    <Dialog open holds onOpenChange={onClose} title={`Rename ${container.name}`}>
      <form {...form} className="flex flex-col gap-4">
        <Field
          label="New name"
          help="Containers that connect to it by name must use the new name."
          error={errors['name']}
        >
          <Input name="name" defaultValue={container.name} mono />
        </Field>
        <DialogActions>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={pending && 'Renaming…'}>
            Rename
          </Button>
        </DialogActions>
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
