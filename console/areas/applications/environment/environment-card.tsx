import { useQuery } from '@tanstack/react-query'
import { Braces, Eye, EyeOff, Plus, TextCursorInput } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { readDotenv, writeVariables } from '../../../../contract/shared/dotenv.ts'
import { RemoveDialog } from '../../../lib/form/remove-dialog.tsx'
import { dialogLink, dialogOpenedState, useEntryDialog } from '../../../lib/use-dialog.ts'
import {
  useRemoveVariable,
  useSaveVariable,
  type Variable,
  type VariableList,
  variablesQuery,
} from '../../../lib/form/variable-list.ts'
import { auditPath } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { byTime } from '../../../ui/table/sort.ts'
import type { Column } from '../../../ui/table/table.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { EntriesCard, entryActions } from '../entries/entries-card.tsx'
import { MaskedValue, nameColumn, useRevealed } from './masked-value.tsx'
import { type ClipboardEvent, useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../../lib/form/form-dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input, Textarea } from '../../../ui/form/input.tsx'

interface EnvironmentCardProps {
  list: VariableList
  words: {
    title: string
    description: string
    empty: string
  }
  manages: boolean
  seesHistory: boolean
  onEditText: (pasted?: string) => void
}

/** Lists variables. Their values stay hidden until the user shows them. */
export function EnvironmentCard({ list, words, manages, seesHistory, onEditText }: EnvironmentCardProps) {
  const query = useQuery(variablesQuery(list))
  const remove = useRemoveVariable(list)
  const revealed = useRevealed(list)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  const ids = query.data?.map(({ id }) => id) ?? []
  const Icon = revealed.any ? EyeOff : Eye
  return (
    <>
      <EntriesCard
        title={words.title}
        description={`${words.description} ${
          manages
            ? 'Changes apply on the next deployment.'
            : 'Only owners, admins and members can see values.'
        }`}
        things="variables"
        empty={{
          icon: Braces,
          title: 'No variables yet',
          text: words.empty,
        }}
        action={
          manages && (
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => onEditText()}>
                <TextCursorInput aria-hidden />
                Edit as text
              </Button>
              <Button variant="primary" onClick={() => open('add-variable')}>
                <Plus aria-hidden />
                Add variable
              </Button>
            </div>
          )
        }
        tools={
          manages && (
            <div className="flex flex-wrap items-center gap-2">
              {revealed.any && revealed.all && (
                <CopyButton
                  variant="secondary"
                  text={writeVariables(revealed.all)}
                  label="Copy all variables"
                >
                  Copy all
                </CopyButton>
              )}
              <Button
                pending={revealed.asking && 'Loading…'}
                disabled={ids.length === 0}
                onClick={() => revealed.show(revealed.any ? [] : ids)}
              >
                <Icon aria-hidden />
                {revealed.any ? 'Hide values' : 'Show values'}
              </Button>
            </div>
          )
        }
        query={query}
        texts={({ key }) => [key]}
        columns={columnsFor(revealed, manages, seesHistory)}
        actions={manages ? entryActions(({ key }) => key, ask) : undefined}
      />
      {manages && (dialog === 'add-variable' || editing) && (
        <VariableDialog
          key={dialog}
          list={list}
          variable={editing}
          onPasteFile={onEditText}
          onClose={close}
        />
      )}
      {manages && removing && (
        <RemoveDialog
          id={removing.id}
          name={removing.key}
          action="Remove variable"
          remove={remove}
          onClose={close}
        >
          This cannot be undone. Running containers keep the variable until the next deployment.
        </RemoveDialog>
      )}
    </>
  )
}

const columnsFor = (
  { valueOf, toggle }: ReturnType<typeof useRevealed>,
  manages: boolean,
  seesHistory: boolean,
): [Column<Variable>, ...Column<Variable>[]] => [
  manages ? { ...nameColumn, cell: (variable) => <EditLink variable={variable} /> } : nameColumn,
  {
    head: 'Value',
    cell: (variable) => (
      <MaskedValue
        name={variable.key}
        value={valueOf(variable)}
        onToggle={manages ? () => toggle(variable.id) : undefined}
      />
    ),
  },
  {
    head: 'Changed',
    cell: ({ key, updated_at: at }) =>
      seesHistory ? (
        <TextLink to={auditPath(key)} title={`Audit log entries for ${key}`}>
          <Time at={at} />
          <span className="sr-only">, who changed {key}</span>
        </TextLink>
      ) : (
        <Time at={at} />
      ),
    narrow: true,
    sort: byTime(({ updated_at: at }) => at),
  },
]

function EditLink({ variable }: { variable: Variable }) {
  const [params] = useSearchParams()
  return (
    <TextLink to={dialogLink(params, `edit-${variable.id}`)} state={dialogOpenedState}>
      {nameColumn.cell(variable)}
    </TextLink>
  )
}

interface VariableDialogProps {
  list: VariableList
  variable: Variable | undefined
  name?: string | undefined
  onPasteFile: (text: string) => void
  onClose: () => void
}

export function VariableDialog({ list, variable, name, onPasteFile, onClose }: VariableDialogProps) {
  const save = useSaveVariable(list)
  // Form data is trimmed, but spaces around a value may be intended, so the value is state.
  const [value, setValue] = useState('')

  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const { entries, problems } = readDotenv(text)
    const [entry] = entries
    if (!entry || entries.every(({ isBare }) => isBare)) return
    event.preventDefault()
    if (entries.length > 1 || problems.length > 0) return onPasteFile(text)
    event.currentTarget.value = entry.key
    setValue(entry.value)
  }

  return (
    <FormDialog
      title={variable ? `Edit ${variable.key}` : name === undefined ? 'New variable' : `Override ${name}`}
      description="Applies on the next deployment."
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
          <Field label="Name" help="Or paste lines from a .env file." error={errors['key']}>
            <Input
              name="key"
              defaultValue={variable?.key ?? name}
              placeholder="DATABASE_URL"
              onPaste={paste}
              mono
            />
          </Field>
          <Field
            label={variable ? 'New value' : 'Value'}
            help={variable ? 'Replaces the current value.' : 'Can span multiple lines.'}
            error={errors['value']}
          >
            <Textarea
              name="value"
              rows={3}
              value={value}
              onChange={({ target }) => setValue(target.value)}
              mono
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
