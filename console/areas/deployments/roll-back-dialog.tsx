import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEveryPage } from '../../lib/http/use-every-page.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChangeList } from './change-list.tsx'
import { useRollBack } from './changes.ts'
import { afterOthers, isUnderWay } from './deployment-words.ts'
import { releasesQuery } from './queries.ts'
import { ReleaseChoice } from './release-choice.tsx'
import { isWayBack, latestLive } from './way-back.ts'

interface RollBackDialogProps {
  application: {
    id: string
    name: string
    deployment: { status: string } | null
  }
  /** The one that was meant; otherwise that before the current one is. */
  releaseId?: string
  onClose: () => void
  /** Shows a deployment in its place. */
  onShow: (deploymentId: string) => void
  /** Of several services: what going back to a release would do with each, and then the buttons, which it may bar. */
  renderPlan?: ((releaseId: string, renderButtons: (barred?: string) => ReactNode) => ReactNode) | undefined
}

/** Asks which of the kept releases takes the traffic again. */
export function RollBackDialog({ application, releaseId, ...props }: RollBackDialogProps) {
  const { onClose, onShow, renderPlan } = props
  const pages = useInfiniteQuery(releasesQuery(application.id))
  const { data: releases, error } = pages
  // Among so many that it is on a later page, the one before the current one has to be found.
  useEveryPage(pages, true)
  const [chosen, setChosen] = useState(releaseId)
  const rollBack = useRollBack(application.id)
  const choices = (releases ?? []).filter(isWayBack)
  const picked = choices.find(({ id }) => id === chosen) ?? latestLive(choices)
  const { deployment } = application

  const renderButtons = (barred?: string) => (
    <>
      {deployment && isUnderWay(deployment) && (
        <p className="text-sm text-muted">{afterOthers(deployment)}</p>
      )}
      {barred !== undefined && <p className="text-right text-sm text-muted">{barred}</p>}
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant="primary"
          disabled={!picked || barred !== undefined}
          pending={rollBack.isPending && 'Rolling back…'}
          onClick={() => picked && rollBack.mutate(picked.id, { onSuccess: ({ id }) => onShow(id) })}
        >
          {picked ? `Roll back to release ${picked.number}` : 'Roll back'}
        </Button>
      </DialogActions>
    </>
  )

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Roll back ${application.name}`}
      description={`The release runs again as it did: its ${renderPlan ? 'images' : 'image'}, its settings and its environment. What is configured now stays as it is${renderPlan ? '.' : ', and no request is lost.'}`}
    >
      {error && !releases && <p className="text-sm text-red-ink">{error.message}</p>}
      {!error && !releases && <Skeleton className="h-24 w-full" />}
      {releases && choices.length === 0 && (
        <p className="rounded-md bg-subtle px-3 py-2.5 text-muted">
          There is no earlier release to go back to. The first deployment that follows another makes one.
        </p>
      )}
      {choices.length > 0 && (
        <fieldset className="flex -m-1 max-h-72 shrink-0 flex-col gap-3 overflow-y-auto p-1">
          <legend className="sr-only">Release</legend>
          {choices.map((release) => (
            <ReleaseChoice
              key={release.id}
              release={release}
              checked={release.id === picked?.id}
              onChoose={() => setChosen(release.id)}
              onShow={onShow}
            />
          ))}
        </fieldset>
      )}
      {picked && (
        <section aria-label="What would change" className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">What would change against what runs now</h3>
          <ChangeList applicationId={application.id} to={picked.id} />
        </section>
      )}
      {picked && renderPlan ? renderPlan(picked.id, renderButtons) : renderButtons()}
    </Dialog>
  )
}
