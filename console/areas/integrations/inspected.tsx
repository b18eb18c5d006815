import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useSettled } from '../../lib/form/use-settled.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Textarea } from '../../ui/form/textarea.tsx'
import { type Inspection, inspectionQuery } from './repository-queries.ts'

interface InspectedProps {
  integrationId: string
  place: { repository: string; branch: string; folder: string }
  /** As somebody edited it; empty for what is found out at each build. */
  generated: string
  onEdit: (generated: string) => void
  error?: string | undefined
  /** What is wrong with the place is said at its fields. */
  told: boolean
}

/** How an image would be made of what is there; the Dockerfile that is generated can be edited. */
export function Inspected({ integrationId, place, generated, onEdit, error, told }: InspectedProps) {
  const settled = useSettled(place, 400)
  const { data, error: failure, isLoading } = useQuery(inspectionQuery(integrationId, settled))
  if (place.repository === '' || place.branch === '') return null
  if (generated !== '')
    return <Edited generated={generated} onEdit={onEdit} error={error} proposed={data?.generated ?? null} />
  if (isLoading) return <Skeleton className="h-16" />
  if (failure) return told ? null : <p className="text-sm text-red-ink">{failure.message}</p>
  if (!data) return null
  const hasOwn = data.dockerfiles.includes('Dockerfile')
  return (
    <div className="flex flex-col gap-3">
      <p>
        {data.says}{' '}
        <span className="text-muted">
          Looked at <code className="font-mono text-sm">{data.commit.sha.slice(0, 7)}</code>.
        </span>
      </p>
      {notesOn(data).map((note) => (
        <p key={note} className="text-sm text-muted">
          {note}
        </p>
      ))}
      {!hasOwn && data.generated !== null && (
        <details className="group rounded-md border border-line">
          <summary className="flex list-none items-center gap-2 rounded-md px-3 py-2 font-medium hover:bg-subtle">
            <ChevronRight
              className="size-4 text-muted transition-transform group-open:rotate-90"
              aria-hidden
            />
            The Dockerfile that is generated for it
          </summary>
          <div className="flex flex-col gap-3 border-t border-line p-3">
            <pre
              // oxlint-disable-next-line no-noninteractive-tabindex -- it scrolls
              tabIndex={0}
              className="overflow-x-auto font-mono text-sm"
            >
              {data.generated}
            </pre>
            <div>
              <Button size="small" onClick={() => onEdit(data.generated ?? '')}>
                Edit it
              </Button>
            </div>
          </div>
        </details>
      )}
    </div>
  )
}

/** What is not in a commit itself, and is fetched only where somebody says so. */
const notesOn = ({ submodules, lfs }: Inspection) => [
  ...(submodules ? ['It has submodules, which are fetched where “Fetch submodules” is ticked.'] : []),
  ...(lfs
    ? ['It keeps files with Git LFS, which are fetched where “Fetch files of Git LFS” is ticked.']
    : []),
]

interface EditedProps extends Pick<InspectedProps, 'generated' | 'onEdit' | 'error'> {
  proposed: string | null
}

const Edited = ({ generated, onEdit, error, proposed }: EditedProps) => (
  <div className="flex flex-col gap-2">
    <Field
      label="Your Dockerfile"
      help="Yours from now on: what is found out at a build no longer changes it."
      error={error}
    >
      <Textarea
        name="source.generated"
        mono
        rows={14}
        value={generated}
        onChange={({ target }) => onEdit(target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
    <div>
      <Button size="small" onClick={() => onEdit('')}>
        {proposed === null ? 'Drop it' : 'Back to the generated one'}
      </Button>
    </div>
  </div>
)
