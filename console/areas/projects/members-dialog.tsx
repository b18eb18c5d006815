import { useState } from 'react'
import { toast } from 'sonner'
import { matches } from '../../lib/matches.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type MemberKind, useChangeMembers } from './changes.ts'
import { changeWords } from './member-words.ts'
import type { Project } from './queries.ts'

export interface Candidate {
  id: string
  name: string
  /** What tells it from others of its name. */
  help: string
  /** The other project that it would leave. */
  elsewhere?: string | undefined
  member: boolean
}

interface MembersDialogProps {
  project: Pick<Project, 'id' | 'name'>
  kind: MemberKind
  /** All that there are; undefined while they are on their way. */
  candidates: readonly Candidate[] | undefined
  /** Given where they could not be loaded. */
  onRetry?: (() => void) | undefined
  onClose: () => void
}

/** Which applications or servers a project has: several are put in and taken out at once. */
export function MembersDialog({ project, kind, candidates, onRetry, onClose }: MembersDialogProps) {
  const change = useChangeMembers(project.id, kind)
  const [q, setQ] = useState('')
  /** What was turned over, by id. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const changed = candidates?.filter(({ id }) => turned.has(id)) ?? []
  const shown = candidates?.filter(({ name, help }) => matches(q, name, help))

  function turn(id: string) {
    const after = new Set(turned)
    if (!after.delete(id)) after.add(id)
    setTurned(after)
  }

  async function save() {
    const add = changed.filter(({ member }) => !member).map(({ id }) => id)
    const remove = changed.filter(({ member }) => member).map(({ id }) => id)
    await change.mutateAsync({ add, remove })
    toast.success(`${project.name} was changed.`)
    onClose()
  }

  return (
    <Dialog
      open
      holds
      wide
      onOpenChange={onClose}
      title={`Choose ${kind} of ${project.name}`}
      description={
        kind === 'applications' ? 'An application is in one project at most.' : 'A server may be in several.'
      }
    >
      <SearchInput value={q} onChange={setQ} label={`Search ${kind}`} />
      <fieldset className="flex min-h-32 flex-col gap-3 overflow-y-auto rounded-md border border-line p-3">
        <legend className="sr-only">{`Which ${kind} are in it?`}</legend>
        {!shown && onRetry && (
          <Problem title={`The ${kind} could not be loaded`} onRetry={onRetry}>
            Try again in a moment.
          </Problem>
        )}
        {!shown && !onRetry && <Skeleton className="h-24" />}
        {candidates?.length === 0 && <p className="text-muted">{`There are no ${kind} yet.`}</p>}
        {q !== '' && shown?.length === 0 && <NothingFound things={kind} q={q} onClear={() => setQ('')} />}
        {shown?.map((one) => (
          <Checkbox
            key={one.id}
            label={<bdi>{one.name}</bdi>}
            help={[one.help, one.elsewhere && `in the project ${one.elsewhere}`].filter(Boolean).join(' · ')}
            checked={one.member !== turned.has(one.id)}
            onChange={() => turn(one.id)}
          />
        ))}
      </fieldset>
      <p aria-live="polite" className="text-sm wrap-anywhere text-muted empty:hidden">
        {changeWords(changed)}
      </p>
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant="primary"
          disabled={changed.length === 0}
          pending={change.isPending && 'Saving…'}
          // A failure is told by the mutation, and leaves the dialog here.
          onClick={() => void save().catch(() => undefined)}
        >
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
