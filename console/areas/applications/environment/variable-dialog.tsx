import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { useSaveVariable, type Variable, type VariableList } from '../../../lib/form/variable-list.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Textarea } from '../../../ui/form/textarea.tsx'

interface VariableDialogProps {
  list: VariableList
  /** None for a new one. */
  variable: Variable | undefined
  /** What a new one is to be called, where that is clear. */
  name?: string | undefined
  onClose: () => void
}

/** A new variable, or another name and value for one. The value that it has is not read for that. */
export function VariableDialog({ list, variable, name, onClose }: VariableDialogProps) {
  const save = useSaveVariable(list)
  // As it was typed: spaces at its ends may be meant.
  const [value, setValue] = useState('')
  return (
    <FormDialog
      title={variable ? `Edit ${variable.key}` : name === undefined ? 'New variable' : `Override ${name}`}
      description="It takes effect with the next deployment."
      fields={{ key: 'required' }}
      action={variable ? 'Save' : 'Add variable'}
      save={async ({ key }) => {
        await save.mutateAsync({ envId: variable?.id, key, value })
        toast.success(`${key} saved.`)
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
            help={
              variable
                ? 'It replaces the present one, which is not shown here.'
                : 'It may have several lines.'
            }
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
