import { classNames } from '../../ui/class-names.ts'
import { useNow } from '../../ui/time.tsx'
import { planLabel, planNote } from './workspace-plan.ts'
import type { Workspace } from './queries.ts'

export function PlanLine({ workspace }: { workspace: Workspace }) {
  const note = planNote(workspace, useNow())
  return (
    <span className="flex items-center gap-1 text-xs whitespace-nowrap text-muted">
      <span className="truncate">{planLabel(workspace)}</span>
      {note && (
        <>
          <span aria-hidden>·</span>
          <span className={classNames('shrink-0', note.urgent && 'font-medium text-yellow-ink')}>
            {note.text}
          </span>
        </>
      )}
    </span>
  )
}

/** Dot that replaces the plan line in the collapsed sidebar if action is needed. */
export function PlanDot({ workspace }: { workspace: Workspace }) {
  const note = planNote(workspace, useNow())
  if (!note?.urgent) return null
  return (
    <>
      <span aria-hidden className="absolute -top-1 -right-1 size-2 rounded-full bg-yellow" />
      <span className="sr-only">{note.text},</span>
    </>
  )
}
