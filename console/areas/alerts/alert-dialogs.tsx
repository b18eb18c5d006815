import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { readAlert } from './alert-body.ts'
import type { AlertChoices } from './alert-choices.ts'
import { toAlertDraft, newAlertDraft } from './alert-draft.ts'
import { AlertFields, alertFields } from './alert-fields.tsx'
import { alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { useCreateAlert, useUpdateAlert } from './mutations.ts'
import type { Alert } from './queries.ts'

interface NewAlertDialogProps {
  choices: AlertChoices
  onClose: () => void
}

export function NewAlertDialog({ choices, onClose }: NewAlertDialogProps) {
  const create = useCreateAlert()
  const [draft, setDraft] = useState(() => newAlertDraft('cpu'))
  return (
    <FormDialog
      wide
      title="New alert"
      description="Notifies your channels when it triggers and when it resolves."
      fields={alertFields}
      action="Create alert"
      pending="Creating…"
      save={async ({ name }) => {
        await create.mutateAsync(readAlert({ ...draft, name }))
        toast.success('Alert created')
      }}
      onClose={onClose}
    >
      {(errors) => <AlertFields {...{ draft, errors, choices }} onChange={setDraft} />}
    </FormDialog>
  )
}

export function EditAlertDialog({ alert, choices, onClose }: NewAlertDialogProps & { alert: Alert }) {
  const update = useUpdateAlert(alert.id)
  const [draft, setDraft] = useState(() => toAlertDraft(alert))
  return (
    <FormDialog
      wide
      title={`Edit ${alert.name}`}
      description={alertKinds[alert.kind].description}
      fields={alertFields}
      action="Save"
      save={async ({ name }) => {
        const { kind: _, ...change } = readAlert({ ...draft, name })
        await update.mutateAsync(change)
        toast.success('Alert saved')
      }}
      onClose={onClose}
    >
      {(errors) => <AlertFields {...{ draft, errors, choices }} made onChange={setDraft} />}
    </FormDialog>
  )
}
