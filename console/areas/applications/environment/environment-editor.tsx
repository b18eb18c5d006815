import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { type Pair, readPairs, writePairs } from '../../../../contract/shared/entries.ts'
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
import { useUnsaved } from '../../../lib/form/use-draft.tsx'
import { withTextErrors } from '../entries/entry-errors.ts'
import { FieldWarnings, listVariableWarnings } from './variable-warnings.tsx'
import { diffVariables, fitsLine, type VariableChange } from './variable-difference.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import { Problem } from '../../../ui/problem.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

interface EnvironmentEditorProps {
  list: VariableList
  before: readonly Pair[]
  /** The versions of the variables when editing started. */
  begun: readonly { id: string; updated_at: string }[]
  onClose: () => void
}

/** Previews added, changed and removed variables before they are saved. */
export function EnvironmentEditor({ list, before, begun, onClose }: EnvironmentEditorProps) {
  const replace = useReplaceVariables(list)
  const { data: now = begun } = useQuery(variablesQuery(list))
  const [text, setText] = useState(() => writePairs(before.filter(fitsLine)))
  const typed = readPairs(text)
  const apart = before.filter((pair) => !fitsLine(pair) && !typed.some(({ key }) => key === pair.key))
  const after = [...typed, ...apart]
  const changes = diffVariables(before, after)
  useUnsaved(changes.length > 0)

  const { form, errors, pending } = useForm({}, async () => {
    const names = after.map(({ key }) => key)
    await withTextErrors('env', names, () => replace.mutateAsync(after))
    toast.success('Environment saved. Redeploy to apply.')
    onClose()
  })

  const remarks = [...listVariableWarnings(text), ...(isOther(begun, now) ? [othersChanged] : [])]
  return (
    <form {...form}>
      <Card
        title="Environment as text"
        description="KEY=value, one per line."
        action={
          <CopyButton variant="secondary" text={text} label="Copy all variables">
            Copy all
          </CopyButton>
        }
        footer={
          <>
            Applies with the next deployment.
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
          <Field label="Variables" error={errors['env']} help={helpOf(apart)}>
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
          <DifferenceList changes={changes} />
        </div>
      </Card>
    </form>
  )
}

const othersChanged =
  'Another member changed the variables since you started. Saving replaces their changes; cancel and edit again to see them.'

const isOther = (a: EnvironmentEditorProps['begun'], b: EnvironmentEditorProps['begun']) =>
  stamps(a) !== stamps(b)
const stamps = (rows: EnvironmentEditorProps['begun']) =>
  rows
    .map(({ id, updated_at: at }) => `${id} ${at}`)
    .toSorted()
    .join()

function helpOf(apart: readonly Pair[]): string | undefined {
  if (apart.length === 0) return undefined
  const names = apart.map(({ key }) => key).join(', ')
  return `Multi-line values are kept unchanged: ${names}. Edit them one by one.`
}

const words: Record<VariableChange['kind'], [tone: Tone, label: string]> = {
  added: ['green', 'Added'],
  changed: ['yellow', 'Changed'],
  removed: ['red', 'Removed'],
}

const most = 200

function DifferenceList({ changes }: { changes: readonly VariableChange[] }) {
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

export function EnvironmentText({ list, onClose }: { list: VariableList; onClose: () => void }) {
  const { data, isError, refetch } = useQuery(variableValuesQuery(list))
  if (data) {
    const before = data.map(({ key, value }) => ({ key, value: value ?? '' }))
    return <EnvironmentEditor {...{ list, before, onClose }} begun={data} />
  }
  return (
    <Card title="Environment as text">
      {isError ? (
        <Problem title="Couldn’t load variables" onRetry={() => void refetch()}>
          The request failed.
        </Problem>
      ) : (
        <Skeleton className="h-80" />
      )}
    </Card>
  )
}
