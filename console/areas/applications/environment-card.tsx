import { useQuery } from '@tanstack/react-query'
import { Braces, Eye, EyeOff, Plus, TextCursorInput } from 'lucide-react'
import { writePairs } from '../../../contract/entries.ts'
import { RemoveDialog } from '../../lib/remove-dialog.tsx'
import { useEntryDialog } from '../../lib/use-entry-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { byText, byTime } from '../../ui/sort.ts'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { EntriesCard } from './entries-card.tsx'
import { entryActions } from './entry-menu.tsx'
import { MaskedValue } from './masked-value.tsx'
import { useRevealed } from './use-revealed.ts'
import { VariableDialog } from './variable-dialog.tsx'
import { useRemoveVariable, type Variable, variablesQuery } from './variables.ts'

interface EnvironmentCardProps {
  applicationId: string
  /** Whether it is made of a compose file. */
  compose: boolean
  /** Whether one may see and change the values. */
  manages: boolean
  onEditText: () => void
}

/** The environment variables one by one; their values stay hidden until somebody asks for them. */
export function EnvironmentCard({ applicationId, compose, manages, onEditText }: EnvironmentCardProps) {
  const query = useQuery(variablesQuery(applicationId))
  const remove = useRemoveVariable(applicationId)
  const revealed = useRevealed(applicationId)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  const ids = query.data?.map(({ id }) => id) ?? []
  const Icon = revealed.any ? EyeOff : Eye
  return (
    <>
      <EntriesCard
        title="Environment"
        description={`${compose ? ofFile : ofContainers} ${
          manages
            ? 'A change takes effect with the next deployment.'
            : 'Members and above can see the values.'
        }`}
        things="variables"
        empty={{
          icon: Braces,
          title: 'No variables yet',
          text: compose
            ? 'Variables fill in what the compose file takes as ${NAME}: a password, a tag, the address of a database.'
            : 'Variables tell the application what differs from place to place: the address of its database, a password, a mode.',
        }}
        action={
          manages && (
            <div className="flex flex-wrap gap-2">
              <Button onClick={onEditText}>
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
                <Copy variant="secondary" text={writePairs(revealed.all)} label="Copy all variables">
                  Copy all
                </Copy>
              )}
              <Button
                pending={revealed.asking && 'Asking…'}
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
        columns={columnsFor(revealed, manages)}
        actions={manages ? entryActions(({ key }) => key, ask) : undefined}
      />
      {manages && (dialog === 'add-variable' || editing) && (
        <VariableDialog key={dialog} applicationId={applicationId} variable={editing} onClose={close} />
      )}
      {manages && removing && (
        <RemoveDialog
          id={removing.id}
          name={removing.key}
          action="Remove variable"
          remove={remove}
          onClose={close}
        >
          Its value is lost here. What runs keeps it until the next deployment.
        </RemoveDialog>
      )}
    </>
  )
}

const ofContainers = 'What its containers find in their environment.'
const ofFile =
  'These values fill ${NAME} in the compose file. A container has one in its environment only where the file says so.'

const columnsFor = (
  { valueOf, toggle }: ReturnType<typeof useRevealed>,
  reveals: boolean,
): [Column<Variable>, ...Column<Variable>[]] => [
  {
    head: 'Name',
    cell: ({ key }) => (
      <span className="font-mono text-sm wrap-anywhere" dir="ltr">
        {key}
      </span>
    ),
    sort: byText(({ key }) => key),
  },
  {
    head: 'Value',
    cell: (variable) => (
      <MaskedValue
        name={variable.key}
        value={valueOf(variable)}
        onToggle={reveals ? () => toggle(variable.id) : undefined}
      />
    ),
  },
  {
    head: 'Changed',
    cell: ({ updated_at: at }) => <Time at={at} />,
    narrow: true,
    sort: byTime(({ updated_at: at }) => at),
  },
]
