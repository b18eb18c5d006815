import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { matchesTerm } from '../../lib/matches-term.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { NothingFound } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type MemberKind, type Project, useChangeMembers } from './queries.ts'
import { describeMemberChanges } from './member-changes.ts'
import { type LucideIcon, X } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'

export interface Candidate {
  id: string
  name: string
  /** Detail that distinguishes candidates with the same name. */
  help: string
  elsewhere?: string | undefined
  member: boolean
}

interface MembersDialogProps {
  project: Pick<Project, 'id' | 'name'>
  kind: MemberKind
  candidates: readonly Candidate[] | undefined
  query: { error: Error | null; refetch: () => unknown }
  onClose: () => void
}

export function MembersDialog({ project, kind, candidates, query, onClose }: MembersDialogProps) {
  const change = useChangeMembers(project.id, kind)
  const [q, setQ] = useState('')
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const changed = candidates?.filter(({ id }) => turned.has(id)) ?? []
  const shown = candidates?.filter(({ name, help }) => matchesTerm(q, name, help))

  function turn(id: string) {
    const after = new Set(turned)
    if (!after.delete(id)) after.add(id)
    setTurned(after)
  }

  async function save() {
    const add = changed.filter(({ member }) => !member).map(({ id }) => id)
    const remove = changed.filter(({ member }) => member).map(({ id }) => id)
    await change.mutateAsync({ add, remove })
    toast.success('Project updated')
    onClose()
  }

  return (
    <Dialog
      open
      holds
      wide
      onOpenChange={onClose}
      title={`Choose ${kind} for ${project.name}`}
      description={
        kind === 'applications'
          ? 'An application can belong to one project.'
          : 'A server can belong to several projects.'
      }
    >
      <SearchInput value={q} onChange={setQ} label={`Search ${kind}`} />
      <fieldset className="flex min-h-32 flex-col gap-3 overflow-y-auto rounded-md border border-line p-3">
        <legend className="sr-only">{`Select ${kind}`}</legend>
        {!shown && query.error && (
          <Problem title={`Could not load ${kind}`} error={query.error} onRetry={query.refetch} />
        )}
        {!shown && !query.error && <Skeleton className="h-24" />}
        {candidates?.length === 0 && <p className="text-muted">{`No ${kind} yet.`}</p>}
        {q !== '' && shown?.length === 0 && <NothingFound things={kind} q={q} onClear={() => setQ('')} />}
        {shown?.map((candidate) => (
          <Checkbox
            key={candidate.id}
            label={<bdi>{candidate.name}</bdi>}
            help={[candidate.help, candidate.elsewhere && `in project ${candidate.elsewhere}`]
              .filter(Boolean)
              .join(' · ')}
            checked={candidate.member !== turned.has(candidate.id)}
            onChange={() => turn(candidate.id)}
          />
        ))}
      </fieldset>
      <p aria-live="polite" className="text-sm wrap-anywhere text-muted empty:hidden">
        {describeMemberChanges(kind, changed)}
      </p>
      <DialogFooter
        disabled={changed.length === 0}
        pending={change.isPending && 'Saving…'}
        // The mutation shows its error, and the dialog stays open for another attempt.
        onClick={() => void save().catch(() => undefined)}
      >
        Save
      </DialogFooter>
    </Dialog>
  )
}

interface Pages<Row> {
  data: Row[] | undefined
  error: Error | null
  refetch: () => Promise<unknown>
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

interface MemberCardProps<Row> {
  projectId: string
  kind: MemberKind
  icon: LucideIcon
  none: string
  query: Pages<Row>
  columns: readonly [Column<Row>, ...Column<Row>[]]
  href: (row: Row) => string
  more?: ReactNode
  /** Opens the dialog; undefined for users who cannot change the project. */
  onChoose: (() => void) | undefined
}

export function MemberCard<Row extends { id: string; name: string }>(props: MemberCardProps<Row>) {
  const { projectId, kind, icon, none, query, columns, href, more, onChoose } = props
  const change = useChangeMembers(projectId, kind)
  const title = kind === 'applications' ? 'Applications' : 'Servers'
  const action = onChoose && (
    <div className="flex flex-wrap gap-2">
      {more}
      <Button size="small" onClick={onChoose}>
        Choose {kind}
      </Button>
    </div>
  )
  return (
    <Card title={title} flush action={query.data?.length !== 0 && action}>
      <QueryTable
        label={title}
        things={kind}
        query={query}
        empty={{ icon, title: `No ${kind} in this project`, text: none, action }}
        columns={columns}
        rowKey={({ id }) => id}
        href={href}
        skeletonRows={2}
        {...(onChoose && { actions: takeOut(change) })}
      />
      {query.hasNextPage && (
        <div className="border-t border-line p-3">
          <LoadMore query={query} />
        </div>
      )}
    </Card>
  )
}

const takeOut = ({ isPending, variables, mutate }: ReturnType<typeof useChangeMembers>) =>
  function TakeOut({ id, name }: { id: string; name: string }) {
    return (
      <Button
        variant="ghost"
        size="small"
        aria-label={`Remove ${name}`}
        pending={isPending && variables.remove.includes(id) && 'Removing…'}
        onClick={() => mutate({ add: [], remove: [id] })}
      >
        <span className="max-sm:hidden">Remove</span>
        <X className="sm:hidden" aria-hidden />
      </Button>
    )
  }
