import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { useSaveVariable, type Variable, type VariableList } from '../../../lib/form/variable-list.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Textarea } from '../../../ui/form/textarea.tsx'

interface VariableDialogProps {
  list: VariableList
  variable: Variable | undefined
  /** Name of a new variable, if known. */
  name?: string | undefined
  onClose: () => void
}

/** Creates or replaces a variable. The current value is not loaded. */
export function VariableDialog({ list, variable, name, onClose }: VariableDialogProps) {
  const save = useSaveVariable(list)
  // Keeps leading and trailing spaces, which may be intended.
  const [value, setValue] = useState('')
  return (
    <FormDialog
      title={variable ? `Edit ${variable.key}` : name === undefined ? 'New variable' : `Override ${name}`}
      description="Applies with the next deployment."
      fields={{ key: 'required' }}
      action={variable ? 'Save' : 'Add variable'}
      save={async ({ key }) => {
        await save.mutateAsync({ envId: variable?.id, key, value })
        toast.success(`${key} saved`)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Name" error={errors['key']}>
            <Input
              name="key"
              defaultValue={variable?.key ?? name}
              placeholder="DATABASE_URL"
              mono
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
          <Field
            label={variable ? 'New value' : 'Value'}
            help={variable ? 'Replaces the current value, which is not shown.' : 'Can have multiple lines.'}
            error={errors['value']}
          >
            <Textarea
              name="value"
              rows={3}
              value={value}
              onChange={({ target }) => setValue(target.value)}
              mono
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
