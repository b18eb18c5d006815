import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { type Comparison, type ReleaseChange, releaseChangesQuery, releasesQuery } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { changedField, changeLabel } from './deployment-labels.ts'
import { ErrorText } from '../../ui/problem.tsx'

interface ChangesDialogProps {
  application: { id: string; release: { number: number; older: boolean } | null }
  releaseId?: string
  /** The deployment plan with its button. `plan` is undefined for users who cannot deploy. */
  plan?: ReactNode
  onClose: () => void
}

export function ChangesDialog({ application, releaseId, ...props }: ChangesDialogProps) {
  const { plan, onClose } = props
  const { id, release } = application
  const { data: releases } = useInfiniteQuery({ ...releasesQuery(id), enabled: releaseId !== undefined })
  const number = releases?.find((release) => release.id === releaseId)?.number
  if (releaseId !== undefined)
    return (
      <Dialog
        open
        wide
        onOpenChange={onClose}
        title={number === undefined ? 'Changes since this release' : `Changes since release ${number}`}
        description="Current configuration compared with this release."
      >
        <ChangeList applicationId={id} from={releaseId} />
      </Dialog>
    )
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={release?.older ? `Changes since release ${release.number}` : 'Undeployed changes'}
      description="Changes since the live release. Deploy to apply them."
    >
      <ChangeList applicationId={id} />
      {plan}
    </Dialog>
  )
}

interface ChangeListProps extends Comparison {
  applicationId: string
}

/** Lists the differences between two configurations. Values of environment variables are never shown. */
export function ChangeList({ applicationId, from, to }: ChangeListProps) {
  const { data: changes, error } = useQuery(releaseChangesQuery(applicationId, { from, to }))
  if (error && !changes) return <ErrorText error={error} />
  return changes ? <Changes changes={changes} /> : <Skeleton className="h-16 w-full" />
}

export function Changes({ changes }: { changes: readonly ReleaseChange[] }) {
  if (changes.length === 0) return <p className="rounded-md bg-subtle px-3 py-2.5 text-muted">No changes</p>
  return (
    <ul aria-label="Changes" className="divide-y divide-line rounded-md border border-line">
      {changes.map((change) => (
        <Line key={change.field} change={change} />
      ))}
    </ul>
  )
}

function Line({ change: { field, kind, from, to } }: { change: ReleaseChange }) {
  const { label, name } = changedField(field)
  const [tone, word] = changeLabel(kind)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm wrap-anywhere">
      <Badge tone={tone}>{word}</Badge>
      <span className="font-medium">
        {label} {name !== '' && <span className="font-mono">{name}</span>}
      </span>
      {(from !== null || to !== null) && (
        <span className="min-w-0 font-mono text-muted" dir="ltr">
          {from !== null && <del className={to === null ? '' : 'no-underline'}>{from}</del>}
          {from !== null && to !== null && <span aria-label="becomes"> → </span>}
          {to !== null && <ins className="text-ink no-underline">{to}</ins>}
        </span>
      )}
    </li>
  )
}
