import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { readVariables, writeVariables } from '../../../../contract/shared/dotenv.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { useForm } from '../../../lib/form/use-form.ts'
import {
  useReplaceVariables,
  type VariableList,
  variablesQuery,
  variableValuesQuery,
} from '../../../lib/form/variable-list.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/form/input.tsx'
import { useUnsavedChanges } from '../../../lib/form/use-draft.tsx'
import { withTextErrors } from '../entries/entry-errors.ts'
import { FieldWarnings, listVariableWarnings } from './variable-warnings.tsx'
import { readVariableField } from '../../../lib/form/read-variables.ts'
import { diffVariables, type VariableChange } from './variable-difference.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import { Problem } from '../../../ui/problem.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Badge, type Tone } from '../../../ui/badge.tsx'

interface EnvironmentEditorProps {
  list: VariableList
  before: readonly Pair[]
  /** Versions of the variables when editing started, to detect changes by other members. */
  begun: readonly { id: string; updated_at: string }[]
  /** Text pasted into another field. Its variables replace those with the same names. */
  pasted: string
  onClose: () => void
}

/** The editor lists added, changed and removed variables before the user saves them. */
function EnvironmentEditor({ list, before, begun, pasted, onClose }: EnvironmentEditorProps) {
  const replace = useReplaceVariables(list)
  const { data: now = begun } = useQuery(variablesQuery(list))
  const [text, setText] = useState(() => writeVariables(mergeVariables(before, readVariables(pasted))))
  const after = readVariables(text)
  const changes = diffVariables(before, after)
  useUnsavedChanges(changes.length > 0)

  const { form, errors, pending } = useForm({}, async () => {
    readVariableField('env', text)
    const names = after.map(({ key }) => key)
    await withTextErrors('env', names, () => replace.mutateAsync(after))
    toast.success('Environment variables saved. Redeploy to apply.')
    onClose()
  })

  const remarks = [...listVariableWarnings(text), ...(isOther(begun, now) ? [othersChanged] : [])]
  return (
    <form {...form}>
      <Card
        title="Variables as text"
        description="KEY=value, one per line, or a pasted .env file."
        action={
          <CopyButton variant="secondary" text={text} label="Copy all variables">
            Copy all
          </CopyButton>
        }
        footer={
          <>
            Applies on the next deployment.
            <div className="flex gap-2">
              <Button onClick={onClose}>Cancel</Button>
              <Button
                type="submit"
                variant="primary"
                disabled={changes.length === 0}
                pending={pending && 'Saving…'}
              >
                {changes.length === 0 ? 'No changes' : `Save ${formatCount(changes.length, 'change')}`}
              </Button>
            </div>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <Field label="Variables" error={errors['env']}>
            <Textarea
              name="env"
              rows={Math.min(Math.max(text.split('\n').length + 2, 12), 30)}
              value={text}
              onChange={({ target }) => setText(target.value)}
              placeholder={'DATABASE_URL=postgres://…\nMODE=production'}
              mono
              wrap="off"
            />
          </Field>
          <FieldWarnings remarks={remarks} />
          <VariableChanges changes={changes} />
        </div>
      </Card>
    </form>
  )
}

const mergeVariables = (before: readonly Pair[], pasted: readonly Pair[]): Pair[] => {
  const values = new Map([...before, ...pasted].map(({ key, value }) => [key, value]))
  return [...values].map(([key, value]) => ({ key, value }))
}

const othersChanged =
  'Another member changed these variables after you started editing. Saving overwrites their changes. To see them, cancel and edit again.'

const isOther = (a: EnvironmentEditorProps['begun'], b: EnvironmentEditorProps['begun']) =>
  stamps(a) !== stamps(b)
const stamps = (rows: EnvironmentEditorProps['begun']) =>
  rows
    .map(({ id, updated_at: at }) => `${id} ${at}`)
    .toSorted()
    .join()

interface EnvironmentTextProps extends Pick<EnvironmentEditorProps, 'list' | 'onClose'> {
  pasted?: string
}

export function EnvironmentText({ list, pasted = '', onClose }: EnvironmentTextProps) {
  const { data, error, refetch } = useQuery(variableValuesQuery(list))
  if (data) {
    const before = data.map(({ key, value }) => ({ key, value: value ?? '' }))
    return <EnvironmentEditor {...{ list, before, pasted, onClose }} begun={data} />
  }
  return (
    <Card title="Variables as text">
      {error ? (
        <Problem title="Could not load variables" error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-80" />
      )}
    </Card>
  )
}

const words: Record<VariableChange['kind'], [tone: Tone, label: string]> = {
  added: ['green', 'Added'],
  changed: ['yellow', 'Changed'],
  removed: ['red', 'Removed'],
}

const most = 200

/** Lists the names of variables that saving adds, changes or removes. Values may be secret, so they are not shown. */
function VariableChanges({ changes }: { changes: readonly VariableChange[] }) {
  if (changes.length === 0) return null
  return (
    <section aria-label="Changes" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-medium">Changes</h3>
      <ul className="grid max-h-72 gap-x-6 gap-y-1.5 overflow-y-auto sm:grid-cols-2">
        {changes.slice(0, most).map(({ key, kind }) => (
          <li key={key} className="flex items-baseline gap-2">
            <Badge tone={words[kind][0]}>{words[kind][1]}</Badge>
            <span className="min-w-0 font-mono text-sm wrap-anywhere" dir="ltr">
              {key}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > most && <p className="text-sm text-muted">And {changes.length - most} more.</p>}
    </section>
  )
}
