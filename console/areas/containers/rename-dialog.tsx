import { toast } from 'sonner'
import { Failure } from '../../lib/http/failure.ts'
import { notify } from '../../lib/notify.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useActOnContainer } from './changes.ts'
import type { ContainerDialogProps } from './kill-dialog.tsx'

export function RenameDialog({ serverId, container, onClose, onDone }: ContainerDialogProps) {
  const rename = useActOnContainer(serverId, onDone, true)
  const { form, errors, pending } = useForm({ name: 'required' }, async ({ name }) => {
    try {
      await rename.mutateAsync({ cid: container.id, body: { action: 'rename', name } })
    } catch (error) {
      const told = atName(error)
      // What stands at the field needs no toast.
      if (!(told instanceof Failure && 'name' in told.fields)) notify(told)
      throw told
    }
    toast.success(`${container.name} is now ${name}.`)
  })
  return (
    <Dialog open holds onOpenChange={onClose} title={`Rename ${container.name}`}>
      <form {...form} className="flex flex-col gap-4">
        <Field
          label="New name"
          help="Other containers that reach it by its name need the new one."
          error={errors['name']}
        >
          <Input
            name="name"
            defaultValue={container.name}
            mono
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
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

/** What Docker refuses here is the name, such as one that another container has. */
function atName(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'docker_refused') return error
  const { messages, message, status, code } = error
  return new Failure({ messages, fields: { name: message }, status, code })
}
