import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useDebounced } from '../../lib/form/use-debounced.ts'
import { BrandMark } from '../../ui/brand/brand-logo.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Textarea } from '../../ui/form/input.tsx'
import { type Inspection, inspectionQuery } from './queries.ts'
import { ErrorText } from '../../ui/problem.tsx'

const languageBrands = { node: 'nodedotjs', python: 'python', go: 'go', static: 'html5' }

interface InspectedProps {
  integrationId: string
  place: { repository: string; branch: string; folder: string }
  /** Dockerfile as edited by the user; empty if each build generates it. */
  generated: string
  onEdit: (generated: string) => void
  error?: string | undefined
  /** Hides errors of repository, branch or folder, which their fields show. */
  hidesFailure: boolean
}

/** Shows how Slipway would build the repository. The user can edit the generated Dockerfile. */
export function InspectionResult({
  integrationId,
  place,
  generated,
  onEdit,
  error,
  hidesFailure,
}: InspectedProps) {
  const settled = useDebounced(place, 400)
  const { data, error: failure, isLoading } = useQuery(inspectionQuery(integrationId, settled))
  if (place.repository === '' || place.branch === '') return null
  if (generated !== '')
    return <Edited generated={generated} onEdit={onEdit} error={error} proposed={data?.generated ?? null} />
  if (isLoading) return <Skeleton className="h-16" />
  if (failure && !data) return hidesFailure ? null : <ErrorText error={failure} />
  if (!data) return null
  const hasOwn = data.dockerfiles.includes('Dockerfile')
  return (
    <div className="flex flex-col gap-3">
      <p>
        {data.language !== null && !hasOwn && (
          <span className="mr-1.5 inline-block size-4 align-[-3px]">
            <BrandMark names={[languageBrands[data.language]]} fallback={null} className="size-4" />
          </span>
        )}
        {data.summary}{' '}
        <span className="text-muted">
          Inspected <code className="font-mono text-sm">{data.commit.sha.slice(0, 7)}</code>.
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
            Generated Dockerfile
          </summary>
          <div className="flex flex-col gap-3 border-t border-line p-3">
            <pre
              // oxlint-disable-next-line no-noninteractive-tabindex -- the keyboard must be able to scroll the element
              tabIndex={0}
              className="overflow-x-auto font-mono text-sm"
            >
              {data.generated}
            </pre>
            <div>
              <Button size="small" onClick={() => onEdit(data.generated ?? '')}>
                Edit
              </Button>
            </div>
          </div>
        </details>
      )}
    </div>
  )
}

/** Notes on parts of the repository that are fetched only if enabled. */
const notesOn = ({ submodules, lfs }: Inspection) => [
  ...(submodules ? ['This repository has submodules. Enable “Fetch submodules” to include them.'] : []),
  ...(lfs ? ['This repository uses Git LFS. Enable “Fetch Git LFS files” to include them.'] : []),
]

interface EditedProps extends Pick<InspectedProps, 'generated' | 'onEdit' | 'error'> {
  proposed: string | null
}

const Edited = ({ generated, onEdit, error, proposed }: EditedProps) => (
  <div className="flex flex-col gap-2">
    <Field label="Your Dockerfile" help="Replaces the generated Dockerfile in every build." error={error}>
      <Textarea
        name="source.generated"
        mono
        rows={14}
        value={generated}
        onChange={({ target }) => onEdit(target.value)}
      />
    </Field>
    <div>
      <Button size="small" onClick={() => onEdit('')}>
        {proposed === null ? 'Discard' : 'Use generated Dockerfile'}
      </Button>
    </div>
  </div>
)
